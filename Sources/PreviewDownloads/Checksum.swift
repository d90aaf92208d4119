import CCrypto

/// SHA-256 by OpenSSL, which uses the processor's own instructions where there are some.
enum Checksum {
  private static let functions: CryptoFunctions? = {
    var functions = CryptoFunctions()
    return unsafe ccrypto_load(&functions) == nil ? functions : nil
  }()

  /// 64 hexadecimal digits; nil where libcrypto is not there.
  ///
  /// Wraps EVP_Digest(3).
  static func sha256(_ bytes: [UInt8]) -> String? {
    guard let functions else { return nil }
    var digest = [UInt8](repeating: 0, count: 32)
    let status = unsafe functions.EVP_Digest(
      bytes, bytes.count, &digest, nil, functions.EVP_sha256(), nil)
    guard status == 1 else { return nil }
    return digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
