import PreviewPlayback
import Testing

/// What the commands ffmpeg and mpg123 make of a file.
enum Reference {
  /// The samples, interleaved.
  static func samples(of path: String, isMPEG: Bool, options: [String] = []) -> [Float] {
    let directory = TemporaryDirectory()
    let output = directory.file("samples")
    if isMPEG {
      Program(["mpg123", "-q", "-s", "-e", "f32"] + options + [path], output: output).wait()
    } else {
      Program.run(
        "ffmpeg", "-v", "quiet", "-i", path, "-map", "0:a:0", "-f", "f32le", "-c:a", "pcm_f32le",
        "-",
        output: output)
    }
    return floats(of: output)
  }

  /// The largest difference between the first samples of two clips.
  static func difference(_ left: [Float], _ right: [Float]) -> Float {
    var largest: Float = 0
    let left = left.span
    let right = right.span
    for index in 0..<min(left.count, right.count) {
      largest = max(largest, abs(left[index] - right[index]))
    }
    return largest
  }
}
