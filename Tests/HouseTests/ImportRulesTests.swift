import Glibc
import Testing

/// The rules of the house, read off the sources.
struct ImportRulesTests {
  static let project = #filePath.split(separator: "/").dropLast(3).map { "/" + $0 }.joined()

  /// What each room may import besides the standard library.
  static let allowed: [String: Set<String>] = [
    "PreviewThreads": [],
    "PreviewMedia": [],
    "PreviewTransport": ["PreviewThreads", "CCurl"],
    "PreviewCatalog": ["PreviewTransport", "FoundationEssentials"],
    "PreviewDownloads": [
      "PreviewTransport", "PreviewMedia", "PreviewThreads", "CCrypto", "CLinux", "CSQLite",
    ],
    "PreviewPlayback": ["PreviewMedia", "PreviewThreads", "CLibAV", "CMpg123", "CPulse"],
    "preview": [
      "PreviewTransport", "PreviewCatalog", "PreviewDownloads", "PreviewPlayback", "PreviewThreads",
    ],
  ]
  static let standard: Set<String> = ["Swift", "Glibc", "Synchronization"]

  @Test(arguments: allowed.keys.sorted())
  func `a room imports only what it may`(room: String) throws {
    let files = swiftFiles(in: Self.project + "/Sources/" + room)
    #expect(!files.isEmpty)
    let allowed = try #require(Self.allowed[room]).union(Self.standard)
    for file in files {
      for module in imports(in: try #require(text(of: file))) {
        #expect(allowed.contains(module), "\(file) imports \(module)")
      }
    }
  }

  @Test func `every room has its rule`() {
    let rooms = names(in: Self.project + "/Sources").filter { !$0.hasPrefix("C") }
    #expect(Set(rooms) == Set(Self.allowed.keys))
  }

  @Test func `a C module has one importing room`() {
    let importers = Self.allowed.values.joined().filter { $0.hasPrefix("C") }
    #expect(Set(importers).count == importers.count)
  }

  @Test func `nothing but the context reads the environment`() throws {
    let files = Self.allowed.keys.flatMap { swiftFiles(in: Self.project + "/Sources/" + $0) }
    for file in files where !file.hasSuffix("/preview/Context.swift") {
      let source = try #require(text(of: file))
      #expect(!source.contains("getenv(") && !source.contains("environ\n"), "\(file)")
    }
  }

  @Test func `a file has at most 250 lines`() throws {
    for file in Self.allowed.keys.flatMap({ swiftFiles(in: Self.project + "/Sources/" + $0) }) {
      let count = try #require(text(of: file)).split(
        separator: "\n", omittingEmptySubsequences: false
      ).count
      #expect(count <= 251, "\(file) has \(count - 1)")
    }
  }

  private func imports(in source: String) -> [String] {
    source.split(separator: "\n").compactMap { line in
      let words = line.split(separator: " ")
      guard let index = words.firstIndex(of: "import"), index + 1 < words.count,
        words[..<index].allSatisfy({
          ["public", "package", "internal", "@testable"].contains($0) || $0.hasPrefix("@_spi")
        })
      else { return nil }
      return String(words[index + 1])
    }
  }
}

func swiftFiles(in folder: String) -> [String] {
  names(in: folder).flatMap { name in
    name.hasSuffix(".swift") ? [folder + "/" + name] : swiftFiles(in: folder + "/" + name)
  }
}

func names(in folder: String) -> [String] {
  guard let stream = unsafe opendir(folder) else { return [] }
  defer { unsafe closedir(stream) }
  var names: [String] = []
  while let entry = unsafe readdir(stream) {
    let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
      unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
    if !name.hasPrefix(".") { names.append(name) }
  }
  return names.sorted()
}

func text(of file: String) -> String? {
  let descriptor = unsafe open(file, O_RDONLY)
  guard descriptor >= 0 else { return nil }
  defer { close(descriptor) }
  var bytes = [UInt8](repeating: 0, count: 1 << 20)
  let count = unsafe read(descriptor, &bytes, bytes.count)
  return count < 0 ? nil : String(decoding: bytes[..<count], as: UTF8.self)
}
