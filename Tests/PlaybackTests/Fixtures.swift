import Glibc
import Testing

/// Audio that the tests make for themselves with ffmpeg: a rising tone on the left, noise on the right.
enum Fixtures {
  private static let directory = TemporaryDirectory()

  /// The name of a fixture and what ffmpeg is told to make it with.
  struct Recipe: CustomTestStringConvertible, Sendable {
    let name: String
    let arguments: [String]
    var seconds = 2.0
    var testDescription: String { name }
  }

  static let recipes = [
    Recipe(name: "aac.m4a", arguments: ["-c:a", "aac", "-b:a", "128k"]),
    Recipe(
      name: "faststart.m4a", arguments: ["-c:a", "aac", "-movflags", "+faststart"], seconds: 10),
    Recipe(
      name: "fragmented.m4a",
      arguments: [
        "-c:a", "aac", "-movflags", "frag_keyframe+empty_moov", "-frag_duration", "500000",
      ]
    ),
    Recipe(name: "no-edits.m4a", arguments: ["-c:a", "aac", "-use_editlist", "0"]),
    Recipe(name: "mono-22k.m4a", arguments: ["-c:a", "aac", "-ac", "1", "-ar", "22050"]),
    Recipe(name: "5.1.m4a", arguments: ["-c:a", "aac", "-ac", "6"]),
    Recipe(name: "alac.m4a", arguments: ["-c:a", "alac"]),
    Recipe(name: "adts.aac", arguments: ["-c:a", "aac", "-f", "adts"]),
    Recipe(name: "flac.flac", arguments: ["-c:a", "flac"]),
    Recipe(name: "pcm.wav", arguments: ["-c:a", "pcm_s16le"]),
    Recipe(name: "pcm.aiff", arguments: ["-c:a", "pcm_s16be"]),
    Recipe(name: "pcm.caf", arguments: ["-c:a", "pcm_s24le"]),
    Recipe(name: "vorbis.ogg", arguments: ["-c:a", "vorbis", "-strict", "-2"]),
    Recipe(name: "opus.opus", arguments: ["-c:a", "libopus", "-ar", "48000"]),
    Recipe(name: "opus.mka", arguments: ["-c:a", "libopus", "-ar", "48000"]),
    Recipe(name: "cbr.mp3", arguments: ["-c:a", "libmp3lame", "-b:a", "128k"]),
    Recipe(name: "vbr.mp3", arguments: ["-c:a", "libmp3lame", "-q:a", "4"], seconds: 10),
    Recipe(name: "mono-8k.mp3", arguments: ["-c:a", "libmp3lame", "-ac", "1", "-ar", "8000"]),
    Recipe(name: "headerless.mp3", arguments: ["-c:a", "libmp3lame", "-write_xing", "0"]),
    Recipe(name: "layer2.mp2", arguments: ["-c:a", "mp2"]),
    Recipe(
      name: "encrypted.m4a",
      arguments: [
        "-c:a", "aac", "-encryption_scheme", "cenc-aes-ctr", "-encryption_key",
        "76a6c65c5ea762046bd749a2e632ccbb", "-encryption_kid", "a7e61c373e219033c21091fa607bf3b8",
        "-f", "mp4",
      ]),
    Recipe(name: "video.mp4", arguments: ["-an", "-f", "lavfi", "-i", "testsrc=d=1:s=64x64"]),
  ]

  private static let made: [String: String] = {
    // A static value has no end of its own.
    atexit { Program.run("rm", "-rf", Fixtures.directory.path) }
    var paths: [String: String] = [:]
    for recipe in recipes {
      let path = directory.file(recipe.name)
      let length = recipe.seconds
      let source =
        "aevalsrc='0.4*sin(2*PI*t*(200+300*t/\(length)))|0.2*random(0)-0.1':s=44100:d=\(length)"
      let isVideo = recipe.name.hasSuffix("video.mp4")
      let command =
        ["ffmpeg", "-v", "quiet", "-y"]
        + (isVideo
          ? ["-f", "lavfi", "-i", "testsrc=d=1:s=64x64"]
          : ["-f", "lavfi", "-i", source] + recipe.arguments) + [path]
      if Program(command).wait() == 0 { paths[recipe.name] = path }
    }
    return paths
  }()

  /// The path of a fixture.
  static func path(_ name: String) throws -> String {
    try #require(made[name], "ffmpeg did not make \(name)")
  }

  /// A file in the fixtures' directory, for what a test makes out of them.
  static func newPath(_ name: String) -> String { directory.file(name) }
}
