import CLinux
import Glibc
import PreviewMedia

/// The directory that holds the finished clips, held open: names are looked up in it, and not along a
/// path that may have come to mean another place.
final class MediaDirectory: Sendable {
  /// Absolute.
  let path: String
  private let root: FileDescriptor
  /// Where the part files are.
  let parts: FileDescriptor

  /// Opens the directory and makes what is missing.
  init(path: String) throws(DownloadFailure) {
    self.path = path
    try Self.makeDirectories(path)
    try Self.makeDirectories(path + "/.preview/parts", mode: 0o700)
    root = try Self.directory(path)
    parts = try Self.directory(path + "/.preview/parts")
  }

  /// Where the library is.
  var libraryPath: String { path + "/.preview/library.sqlite3" }

  func path(of name: String) -> String { path + "/" + name }

  /// The size in bytes of the clip of that name; nil where there is none.
  func size(of name: String) -> Int? { root.fileSize(of: name) }

  /// The finished clip of a source that the library does not know of: a process may have ended
  /// between giving the name and recording it.
  ///
  /// - Parameters:
  ///   - source: the clip.
  ///   - size: its bytes; nil where no server has said.
  /// - Returns: the name of a file that may be the clip; nil where there is none.
  func unrecordedName(for source: ClipSource, size: Int?) -> String? {
    // Only a track's names hold its id; under a URL's name any file may lie.
    guard !source.isPlainURL || size != nil else { return nil }
    let stems = Array(MediaName.stems(for: source).prefix(2))
    for kind in MediaKind.allCases {
      let ending = "." + MediaName.fileExtension(for: source, kind)
      for stem in stems {
        if let found = root.fileSize(of: stem + ending), found == size ?? found {
          return stem + ending
        }
      }
    }
    return nil
  }

  /// The content of a finished clip; nil where it cannot be read.
  func contents(of name: String) -> [UInt8]? {
    FileDescriptor.open(name, in: root, O_RDONLY | O_NOFOLLOW)?.readAll()
  }

  /// Syncs a part and gives it the first free of its names, in the order that leaves no file under a
  /// final name whose bytes are not on disk.
  ///
  /// - Parameters:
  ///   - part: complete and checked.
  ///   - names: to try, best first.
  ///   - previous: the clip's own name from before, which may be replaced.
  /// - Returns: the name it got.
  /// - Throws: `disk` or `disk-full`; the part is as it was.
  func publish(
    _ part: PartFile, as names: some Collection<String>, replacing previous: String?
  ) throws(DownloadFailure) -> String {
    guard let checked = part.file.status, let named = parts.status(of: part.name),
      checked.st_ino == named.st_ino, checked.st_dev == named.st_dev
    else {
      throw DownloadFailure(.disk, "Something has taken the place of the part file. Try again.")
    }
    guard fdatasync(part.file.number) == 0 else { throw .disk(errno, "write the clip to disk") }
    let name = try rename(part, to: names, replacing: previous)
    guard fsync(root.number) == 0 || errno == EINVAL else {  // Some file systems cannot.
      throw .disk(errno, "write the clip's name to disk")
    }
    if let previous, previous != name { remove(previous) }
    return name
  }

  /// Deletes a finished clip; false where there is none, or it cannot be deleted.
  @discardableResult
  func remove(_ name: String) -> Bool {
    unsafe unlinkat(root.number, name, 0) == 0
  }

  func removePart(_ name: String) {
    unsafe unlinkat(parts.number, name, 0)
  }

  /// Every name in the directory that holds a track's id, with its size in bytes.
  func namesWithID() -> [(name: String, size: Int)] {
    guard let stream = unsafe opendir(path) else { return [] }
    defer { unsafe closedir(stream) }
    var result: [(String, Int)] = []
    while let entry = unsafe readdir(stream) {
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if MediaName.fileID(in: name) != nil, let size = size(of: name) {
        result.append((name, size))
      }
    }
    return result
  }

  private func rename(
    _ part: PartFile, to names: some Collection<String>, replacing previous: String?
  ) throws(DownloadFailure) -> String {
    for name in names {
      if name == previous {
        guard unsafe renameat(parts.number, part.name, root.number, name) == 0 else {
          throw .disk(errno, "give the clip its name")
        }
        return name
      }
      if unsafe clinux_rename_without_replacing(parts.number, part.name, root.number, name) == 0 {
        return name
      }
      if errno == EINVAL || errno == ENOSYS, try link(part, to: name) { return name }
      guard errno == EEXIST else { throw .disk(errno, "give the clip its name") }
    }
    throw DownloadFailure(.disk, "A hundred files have the clip's name already. Move some away.")
  }

  /// For file systems that cannot rename without replacing; false with `EEXIST` where it is taken.
  private func link(_ part: PartFile, to name: String) throws(DownloadFailure) -> Bool {
    guard unsafe linkat(parts.number, part.name, root.number, name, 0) == 0 else {
      guard errno == EEXIST else { throw .disk(errno, "give the clip its name") }
      return false
    }
    removePart(part.name)
    return true
  }

  private static func directory(_ path: String) throws(DownloadFailure) -> FileDescriptor {
    guard let directory = FileDescriptor.open(path, O_RDONLY | O_DIRECTORY) else {
      throw .disk(errno, "open the directory \(path)")
    }
    guard unsafe faccessat(directory.number, ".", W_OK | X_OK, 0) == 0 else {
      throw .disk(errno, "write in \(path)")
    }
    return directory
  }

  private static func makeDirectories(_ path: String, mode: mode_t = 0o777) throws(DownloadFailure)
  {
    var status = stat()
    if unsafe stat(path, &status) == 0 {
      guard status.st_mode & S_IFMT == S_IFDIR else {
        throw DownloadFailure(
          .disk, "\(path) is no directory. Choose another one with --media-dir.")
      }
      return
    }
    if let slash = path.lastIndex(of: "/"), slash > path.startIndex {
      try makeDirectories(String(path[..<slash]), mode: mode)
    }
    guard unsafe mkdir(path, mode) == 0 || errno == EEXIST else {
      throw .disk(errno, "make the directory \(path)")
    }
  }
}
