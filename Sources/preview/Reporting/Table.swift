/// Rows under headings; on a terminal they are cut to its width.
struct Table {
  var columns: [String]
  var rows: [[String]]
  /// Index of the column that gives way where the terminal is narrow.
  var flexible: Int

  /// Writes the table; nothing where there are no rows.
  func write(to console: Console) {
    guard !rows.isEmpty else { return }
    let limit = console.outputIsTerminal ? console.width ?? 80 : Int.max
    for line in lines(width: limit) { console.out(line) }
  }

  /// The lines, headings first, none wider than `width` where the columns allow it.
  func lines(width: Int) -> [String] {
    let all = [columns] + rows.map { $0.map(DisplayText.clean) }
    var widths = columns.indices.map { column in
      all.map { DisplayText.width($0[column]) }.max() ?? 0
    }
    let total = widths.reduce(0, +) + 2 * (widths.count - 1)
    if total > width { widths[flexible] = max(8, widths[flexible] - (total - width)) }
    return all.map { row in
      let cells = row.indices.map { DisplayText.fitted(row[$0], to: widths[$0]) }
      return cells.joined(separator: "  ").trimmingBlanks()
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
