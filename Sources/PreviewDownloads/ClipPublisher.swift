import Glibc
import PreviewMedia

/// The last steps of a download, in the order that never shows an unsound file: check, sync, name.
struct ClipPublisher: Sendable {
  let source: ClipSource
  let directory: MediaDirectory

  struct Published: Sendable {
    var name: String
    var byteCount: Int
    var sha256: String?
  }

  /// Blocks while it reads and syncs.
  ///
  /// - Parameters:
  ///   - part: with every byte of the clip.
  ///   - previous: the name of the clip that is to be replaced.
  ///   - needsWholeContainer: whether only the container can show that nothing is missing.
  /// - Returns: the name the clip got, and what it is.
  /// - Throws: what the bytes are in place of a clip, or what the disk says.
  func publish(
    _ part: PartFile, replacing previous: String?, needsWholeContainer: Bool
  ) throws(DownloadFailure) -> Published {
    guard let bytes = part.file.readAll() else { throw .disk(errno, "read the part file") }
    let kind = try soundKind(of: bytes, needsWholeContainer)
    let name = try directory.publish(
      part, as: MediaName.candidates(for: source, kind: kind), replacing: previous)
    return Published(name: name, byteCount: bytes.count, sha256: Checksum.sha256(bytes))
  }

  private func soundKind(
    of bytes: [UInt8], _ needsWholeContainer: Bool
  ) throws(DownloadFailure) -> MediaKind {
    let verdict = MediaCheck.examine(bytes.span)
    guard case .sound(let kind, let isWhole) = verdict else {
      throw DownloadFailure(verdict) ?? .notAudio(found: "unknown bytes")
    }
    guard isWhole || !needsWholeContainer else {
      throw DownloadFailure(
        .truncated, "The server gave no length, and the file does not show that it is complete.")
    }
    return kind
  }
}

extension DownloadFailure {
  /// Why bytes are no clip; nil for sound ones.
  init?(_ verdict: MediaCheck.Verdict) {
    switch verdict {
    case .sound: return nil
    case .notAudio(let found): self = .notAudio(found: found)
    case .truncated(let missing):
      self.init(
        .truncated, "The file on the server is cut short: it lacks \(missing). Try another catalog."
      )
    case .encrypted:
      self.init(.encrypted, "The file is protected (DRM) and cannot be played.")
    }
  }
}
