import Glibc
import Testing

/// A directory of a test's own, deleted with its last reference.
final class TemporaryDirectory: Sendable {
  let path: String

  init() throws {
    path = "/tmp/preview-downloads-\(getpid())-\(UInt32.random(in: 0 ... .max))"
    try #require(unsafe mkdir(path, 0o755) == 0)
  }

  deinit { Self.delete(path) }

  func path(of name: String) -> String { name.isEmpty ? path : "\(path)/\(name)" }

  func contents(of name: String) -> [UInt8]? { fileContents(path(of: name)) }

  func write(_ bytes: [UInt8], to name: String) {
    let descriptor = unsafe open(path(of: name), O_CREAT | O_WRONLY | O_TRUNC, 0o644)
    defer { close(descriptor) }
    let count = unsafe Glibc.write(descriptor, bytes, bytes.count)
    #expect(count == bytes.count, "\(name) is not written")
  }

  func makeDirectory(_ name: String) {
    #expect(unsafe mkdir(path(of: name), 0o755) == 0, "\(name) is not made")
  }

  func remove(_ name: String) {
    #expect(unsafe unlink(path(of: name)) == 0, "\(name) is not removed")
  }

  /// The names of the entries of a directory in it that do not begin with a dot.
  func names(in folder: String = "") -> [String] { Self.entries(path(of: folder)) { $0 != "." } }

  private static func entries(
    _ path: String, where isWanted: (Character?) -> Bool = { _ in true }
  ) -> [String] {
    guard let stream = unsafe opendir(path) else { return [] }
    defer { unsafe closedir(stream) }
    var names: [String] = []
    while let entry = unsafe readdir(stream) {
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != "..", isWanted(name.first) { names.append(name) }
    }
    return names.sorted()
  }

  private static func delete(_ path: String) {
    guard unsafe unlink(path) != 0 else { return }
    for name in entries(path) { delete(path + "/" + name) }
    unsafe rmdir(path)
  }
}

/// The whole content of a file; nil where it cannot be read.
func fileContents(_ path: String) -> [UInt8]? {
  let descriptor = unsafe open(path, O_RDONLY)
  guard descriptor >= 0 else { return nil }
  defer { close(descriptor) }
  var result: [UInt8] = []
  var chunk = [UInt8](repeating: 0, count: 1 << 20)
  while true {
    let count = unsafe read(descriptor, &chunk, chunk.count)
    guard count >= 0 else { return nil }
    guard count > 0 else { return result }
    result.append(contentsOf: chunk[..<count])
  }
}
