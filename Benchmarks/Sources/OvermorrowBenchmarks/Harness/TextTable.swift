import Foundation

/// Text in columns: the first column is aligned to the left, the others to the right.
struct TextTable {
  private var rows: [[String]] = []

  mutating func append(_ row: [String]) { rows.append(row) }

  func print() {
    let widths = rows.reduce(into: [Int]()) { widths, row in
      for (column, text) in row.enumerated() {
        if column == widths.count { widths.append(0) }
        widths[column] = max(widths[column], text.count)
      }
    }
    for row in rows {
      let line = row.enumerated().map { column, text in
        let space = String(repeating: " ", count: widths[column] - text.count)
        return column == 0 ? text + space : space + text
      }
      Swift.print(line.joined(separator: "  "))
    }
  }
}

extension Double {
  /// Returns the number with this many digits after the decimal point.
  func text(digits: Int = 0) -> String { String(format: "%.\(digits)f", self) }
}

extension [Double] {
  /// The median. The collection must not be empty.
  var median: Double { sorted()[count / 2] }
}
