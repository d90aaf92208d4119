/// Rows under headings; on a terminal they are cut to its width.
struct Table {
  var columns: [String]
  var rows: [[String]]
  /// Index of the column that gives way where the terminal is narrow.
  var flexible: Int
  /// Columns that are left out, one after the other, where even that is not enough.
  var dispensable: [Int] = []

  /// Writes the table; nothing where there are no rows.
  func write(to console: Console) {
    guard !rows.isEmpty else { return }
    let limit = console.outputIsTerminal ? console.width ?? 80 : Int.max
    for line in lines(width: limit) { console.out(line) }
  }

  /// The lines, headings first, none wider than `width`.
  func lines(width: Int) -> [String] {
    let all = [columns] + rows.map { $0.map(DisplayText.clean) }
    var widths = columns.indices.map { column in
      all.map { DisplayText.width($0[column]) }.max() ?? 0
    }
    var shown = Array(columns.indices)
    func excess() -> Int { shown.map { widths[$0] + 2 }.reduce(-2, +) - width }
    var candidates = dispensable
    while excess() > max(0, widths[flexible] - 12), !candidates.isEmpty {
      let dropped = candidates.removeFirst()
      shown.removeAll { $0 == dropped }
    }
    if excess() > 0 { widths[flexible] = max(1, widths[flexible] - excess()) }
    return all.map { row in
      let cells = shown.map { DisplayText.fitted(row[$0], to: widths[$0]) }
      return DisplayText.cut(cells.joined(separator: "  ").trimmingBlanks(), to: width)
    }
  }
}

extension String {
  fileprivate func trimmingBlanks() -> String {
    var end = endIndex
    while end > startIndex, self[index(before: end)] == " " { formIndex(before: &end) }
    return String(self[..<end])
  }
}
