/// One box of an ISO base media file (ISO/IEC 14496-12, section 4.2): a type, and bytes or boxes.
struct MP4Box {
  /// Such as `moov`.
  let type: String
  /// Where the content begins, in bytes from the start of the file.
  let start: Int
  /// Where the content says it ends; beyond the file where that is cut short.
  let end: Int

  /// Reads the header at `offset`; nil where there is none.
  init?(at offset: Int, in bytes: Span<UInt8>, limit: Int) {
    guard let size = bytes.bigEndian(at: offset, count: 4), let type = bytes.fourCC(at: offset + 4)
    else { return nil }
    self.type = type
    switch size {
    case 0:  // To the end of the file.
      start = offset + 8
      end = limit
    case 1:
      guard let large = bytes.bigEndian(at: offset + 8, count: 8), large >= 16,
        large <= UInt64(Int.max >> 1)
      else { return nil }
      start = offset + 16
      end = offset + Int(large)
    default:
      guard size >= 8 else { return nil }
      start = offset + 8
      end = offset + Int(size)
    }
  }

  /// The boxes between two offsets, up to the first that is none.
  static func boxes(from start: Int, to end: Int, in bytes: Span<UInt8>) -> [MP4Box] {
    var boxes: [MP4Box] = []
    var offset = start
    while offset < end, let box = MP4Box(at: offset, in: bytes, limit: end) {
      boxes.append(box)
      offset = box.end
    }
    return boxes
  }

  /// The boxes in this one.
  func children(in bytes: Span<UInt8>) -> [MP4Box] {
    Self.boxes(from: start, to: min(end, bytes.count), in: bytes)
  }

  /// The first box reached by the types in `path`, each inside the one before.
  func descendant(_ path: String..., in bytes: Span<UInt8>) -> MP4Box? {
    var box = self
    for type in path {
      guard let child = box.children(in: bytes).first(where: { $0.type == type }) else {
        return nil
      }
      box = child
    }
    return box
  }
}
