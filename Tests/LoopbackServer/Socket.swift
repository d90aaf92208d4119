import Glibc

/// A stream socket on the loopback address; closed with its last reference.
final class Socket: Sendable {
  private let descriptor: Int32

  private init(descriptor: Int32) { self.descriptor = descriptor }

  deinit { close(descriptor) }

  struct Failure: Error {
    var call: String
    var errno: Int32
  }

  /// A listening socket on a free port.
  static func listening() throws -> Socket {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { throw Failure(call: "socket", errno: errno) }
    let socket = Socket(descriptor: descriptor)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let status = unsafe withUnsafePointer(to: &address) { address in
      unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        unsafe bind(descriptor, address, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard status == 0 else { throw Failure(call: "bind", errno: errno) }
    guard listen(descriptor, 512) == 0 else { throw Failure(call: "listen", errno: errno) }
    return socket
  }

  var port: UInt16 {
    var address = sockaddr_in()
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    _ = unsafe withUnsafeMutablePointer(to: &address) { address in
      unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        unsafe getsockname(descriptor, address, &length)
      }
    }
    return UInt16(bigEndian: address.sin_port)
  }

  func accept() -> Socket? {
    let accepted = Glibc.accept(descriptor, nil, nil)
    guard accepted >= 0 else { return nil }
    var on: Int32 = 1
    unsafe setsockopt(accepted, Int32(IPPROTO_TCP), TCP_NODELAY, &on, 4)
    return Socket(descriptor: accepted)
  }

  /// Everything up to and without the blank line; nil at the end of the stream.
  func readHead() -> String? {
    var head: [UInt8] = []
    var byte: UInt8 = 0
    while unsafe recv(descriptor, &byte, 1, 0) == 1 {
      head.append(byte)
      if byte == 10 && head.suffix(4).elementsEqual([13, 10, 13, 10]) {
        return String(decoding: head.dropLast(4), as: UTF8.self)
      }
    }
    return nil
  }

  /// False where the client has left.
  func send(_ bytes: [UInt8]) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes { rest in
        unsafe Glibc.send(descriptor, rest.baseAddress, rest.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  func shutDown() {
    shutdown(descriptor, Int32(SHUT_RDWR))
  }

  /// Makes the end of the connection an RST once the last reference is gone.
  func reset() {
    var linger = linger(l_onoff: 1, l_linger: 0)
    unsafe setsockopt(
      descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<linger>.size))
    // connect(2) to no family ends a connection at once, with RST under this linger.
    var nowhere = sockaddr()
    nowhere.sa_family = sa_family_t(AF_UNSPEC)
    unsafe connect(descriptor, &nowhere, socklen_t(MemoryLayout<sockaddr>.size))
  }

  func waitForClose() {
    var byte: UInt8 = 0
    while unsafe recv(descriptor, &byte, 1, 0) == 1 {}
  }
}
