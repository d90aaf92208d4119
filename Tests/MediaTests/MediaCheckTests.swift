import Glibc
import PreviewMedia
import Testing

struct MediaCheckTests {
  static let project = #filePath.split(separator: "/").dropLast(3).map { "/" + $0 }.joined()
  static let cases = project + "/../shared/cases/audio"
  static let samples = project + "/Samples/music"

  static let caseFiles = fileNames(in: cases)
  static let sampleFiles = fileNames(in: samples).filter {
    $0.hasSuffix("m4a") || $0.hasSuffix("mp3")
  }

  @Test(.enabled(if: !caseFiles.isEmpty, "no folder of real audio files"), arguments: caseFiles)
  func `a real file is sound`(name: String) throws {
    let bytes = try #require(contents(of: Self.cases + "/" + name))
    guard case .sound = MediaCheck.examine(bytes.span) else {
      Issue.record("\(MediaCheck.examine(bytes.span))")
      return
    }
  }

  @Test(arguments: sampleFiles) func `a sample is sound and shows its end`(name: String) throws {
    let bytes = try #require(contents(of: Self.samples + "/" + name))
    let kind = name.hasSuffix("mp3") ? MediaKind.mpegAudio : .mp4
    #expect(MediaCheck.examine(bytes.span) == .sound(kind, isWhole: true))
  }

  @Test(arguments: sampleFiles) func `a sample cut anywhere is never whole`(name: String) throws {
    let bytes = try #require(contents(of: Self.samples + "/" + name))
    for share in 1..<40 {
      let part = bytes[..<(bytes.count * share / 40)]
      let verdict = MediaCheck.examine(Array(part).span)
      if case .sound(_, isWhole: true) = verdict {
        Issue.record("\(share)/40 of \(name) passed for whole")
      }
    }
  }

  @Test(arguments: sampleFiles.filter { $0.hasSuffix("m4a") })
  func `a file laid out at its full size and never filled is cut short`(name: String) throws {
    var bytes = try #require(contents(of: Self.samples + "/" + name))
    for index in bytes.count / 3..<bytes.count { bytes[index] = 0 }
    #expect(
      MediaCheck.examine(bytes.span) == .truncated(missing: "its last bytes, which are zeros"))
  }

  @Test(arguments: sampleFiles) func `bytes gone wrong crash nothing`(name: String) throws {
    let bytes = try #require(contents(of: Self.samples + "/" + name))
    var generator = Generator(state: 1)
    for _ in 0..<100 {
      var damaged = Array(bytes.prefix(20_000))
      for _ in 0..<20 {
        damaged[Int.random(in: damaged.indices, using: &generator)] = .random(
          in: 0...255, using: &generator)
      }
      _ = MediaCheck.examine(damaged.span)
    }
  }

  struct Row: CustomTestStringConvertible {
    var testDescription: String
    var bytes: [UInt8]
    var verdict: MediaCheck.Verdict
  }

  static let rows: [Row] = [
    Row(testDescription: "empty", bytes: [], verdict: .notAudio(found: "an empty file")),
    Row(
      testDescription: "HTML", bytes: Array("\n <!DOCTYPE HTML><title>Log in</title>".utf8),
      verdict: .notAudio(found: "a web page")),
    Row(testDescription: "JSON", bytes: Array("{\"a\":1}".utf8), verdict: .notAudio(found: "JSON")),
    Row(testDescription: "text", bytes: Array("hello\n".utf8), verdict: .notAudio(found: "text")),
    Row(
      testDescription: "zeros", bytes: [UInt8](repeating: 0, count: 9999),
      verdict: .notAudio(found: "a file of zeros")),
    Row(
      testDescription: "only a tag", bytes: Array("ID3".utf8) + [4, 0, 0, 0, 0, 0, 2, 9, 9],
      verdict: .truncated(missing: "everything behind its tag")),
    Row(
      testDescription: "only ftyp", bytes: [0, 0, 0, 12] + Array("ftypM4A ".utf8),
      verdict: .truncated(missing: "its index (moov)")),
    Row(
      testDescription: "protected", bytes: movie(entry: "drms"), verdict: .encrypted),
    Row(
      testDescription: "samples beyond the end", bytes: movie(entry: "mp4a"),
      verdict: .truncated(missing: "900 of \(movie(entry: "mp4a").count + 900) bytes")),
    Row(
      testDescription: "sample sizes that overflow", bytes: movie(entry: "mp4a", sampleSize: .max),
      verdict: .truncated(
        missing: "4294967195 of \(4_294_967_195 + movie(entry: "mp4a").count) bytes")),
  ]

  @Test(arguments: [("sowt", true), ("mp4a", false)])
  func `silence at the end is zeros only where samples are not coded`(entry: String, isSound: Bool)
  {
    let silent = Self.movie(entry: entry, sampleSize: 5000, sampleBytes: 0)
    let verdict = MediaCheck.examine(silent.span)
    #expect((verdict == .sound(.mp4, isWhole: true)) == isSound, "\(verdict)")
  }

  @Test(arguments: rows) func `what is not sound is named`(row: Row) {
    #expect(MediaCheck.examine(row.bytes.span) == row.verdict)
  }

  /// A file with an index and one sample that begins 100 bytes before the end of the file.
  ///
  /// With `sampleBytes`, the sample lies in the file whole and is made of that byte.
  static func movie(
    entry: String, sampleSize: UInt32 = 1000, sampleBytes: UInt8? = nil
  ) -> [UInt8] {
    let data =
      sampleBytes.map { [UInt8](repeating: $0, count: Int(sampleSize)) }
      ?? [UInt8](repeating: 1, count: 100)
    func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
      word(UInt32(content.count + 8)) + Array(type.utf8) + content
    }
    func word(_ value: UInt32) -> [UInt8] {
      [UInt8(value >> 24), UInt8(value >> 16 & 255), UInt8(value >> 8 & 255), UInt8(value & 255)]
    }
    func file(chunkOffset: UInt32) -> [UInt8] {
      let handler = box("hdlr", word(0) + word(0) + Array("soun".utf8))
      let table =
        box("stsd", word(0) + word(1) + box(entry, [UInt8](repeating: 0, count: 28)))
        + box("stsz", word(0) + word(sampleSize) + word(1))
        + box("stsc", word(0) + word(1) + word(1) + word(1) + word(1))
        + box("stco", word(0) + word(1) + word(chunkOffset))
      let track = box("trak", box("mdia", handler + box("minf", box("stbl", table))))
      return box("ftyp", Array("M4A ".utf8)) + box("moov", track)
        + box("mdat", data)
    }
    return file(chunkOffset: UInt32(file(chunkOffset: 0).count - data.count))
  }
}

/// Numbers that are the same in every run.
struct Generator: RandomNumberGenerator {
  var state: UInt64
  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state ^ state >> 29
  }
}

func fileNames(in folder: String) -> [String] {
  guard let stream = unsafe opendir(folder) else { return [] }
  defer { unsafe closedir(stream) }
  var names: [String] = []
  while let entry = unsafe readdir(stream) {
    let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { name in
      unsafe name.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
    }
    if !name.hasPrefix("."), name != "INDEX.tsv" { names.append(name) }
  }
  return names.sorted()
}

func contents(of path: String) -> [UInt8]? {
  let descriptor = unsafe open(path, O_RDONLY)
  guard descriptor >= 0 else { return nil }
  defer { close(descriptor) }
  var result: [UInt8] = []
  var chunk = [UInt8](repeating: 0, count: 1 << 20)
  while true {
    let count = unsafe read(descriptor, &chunk, chunk.count)
    guard count > 0 else { return result }
    result.append(contentsOf: chunk[..<count])
  }
}
