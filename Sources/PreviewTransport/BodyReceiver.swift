/// Takes an answer as it arrives.
///
/// Its functions are called one after the other, on the thread that reads the network: they must
/// not wait for anything.
package protocol BodyReceiver: AnyObject, Sendable {
  /// Takes the head of the final answer, after redirects and before the first byte of the body.
  ///
  /// - Returns: whether the body is wanted; false ends the request with `HTTPError.stopped`.
  func receive(head: HTTPResponse) -> Bool

  /// Takes the next bytes of the body.
  ///
  /// - Returns: whether more is wanted; false ends the request with `HTTPError.stopped`.
  func receive(bytes: Span<UInt8>) -> Bool
}
