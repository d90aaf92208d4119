/// One JSON object on one line, its members in the order given (RFC 8259).
struct JSONLine {
  enum Value {
    case text(String)
    case number(Int)
    case decimal(Double)
    case boolean(Bool)
    case null

    static func text(_ text: String?) -> Value { text.map { .text($0) } ?? .null }
    static func number(_ number: Int?) -> Value { number.map { .number($0) } ?? .null }
    static func decimal(_ number: Double?) -> Value { number.map { .decimal($0) } ?? .null }
    static func boolean(_ value: Bool?) -> Value { value.map { .boolean($0) } ?? .null }
  }

  /// The object as text, without a line end.
  let text: String

  init(_ members: KeyValuePairs<String, Value>) {
    let list = members.map { Self.quoted($0.key) + ":" + Self.written($0.value) }
    text = "{" + list.joined(separator: ",") + "}"
  }

  private static func written(_ value: Value) -> String {
    switch value {
    case .text(let text): quoted(text)
    case .number(let number): String(number)
    case .decimal(let number): number.isFinite ? String(number) : "null"
    case .boolean(let value): value ? "true" : "false"
    case .null: "null"
    }
  }

  private static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      case _ where scalar.value < 0x20 || scalar.value == 0x7F || scalar.value == 0x2028:
        let hex = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}
