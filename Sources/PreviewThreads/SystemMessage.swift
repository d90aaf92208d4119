import Glibc

/// The system's own words for an error number, such as "No such file or directory".
///
/// Wraps strerror_r(3).
package func systemMessage(_ code: Int32) -> String {
  unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
    guard let start = buffer.baseAddress, unsafe strerror_r(code, start, buffer.count) == 0 else {
      return "error \(code)"
    }
    return unsafe String(cString: start)
  }
}
