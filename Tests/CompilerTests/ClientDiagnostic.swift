import Foundation

/// An error or a warning that the compiler reports, or that a comment in a client's source announces.
struct ClientDiagnostic: Hashable, CustomStringConvertible {
  enum Kind: String, CaseIterable {
    case error
    case warning
  }

  let file: String
  let line: Int
  let kind: Kind
  let text: String

  var description: String { "\(file):\(line): \(kind): \(text)" }

  /// Whether a comment announces this diagnostic. The comment may leave out the end of the message.
  func matches(_ expected: ClientDiagnostic) -> Bool {
    file == expected.file && line == expected.line && kind == expected.kind && text.hasPrefix(expected.text)
  }

  /// Parses the distinct diagnostics in a compiler's output: `path:line:column: kind: text`.
  static func parse(output: String) -> Set<ClientDiagnostic> {
    var found: Set<ClientDiagnostic> = []
    for line in output.split(whereSeparator: \.isNewline) {
      for kind in Kind.allCases {
        guard let mark = line.range(of: ": \(kind): ") else { continue }
        let place = line[..<mark.lowerBound].split(separator: ":")
        let text = String(line[mark.upperBound...])
        // A diagnostic without a line, such as an unknown option, must not be overlooked either.
        guard place.count >= 3, let number = Int(place[place.count - 2]) else {
          found.insert(ClientDiagnostic(file: String(line[..<mark.lowerBound]), line: 0, kind: kind, text: text))
          continue
        }
        let path = place.dropLast(2).joined(separator: ":")
        let file = path.split(separator: "/").last.map(String.init) ?? path
        found.insert(ClientDiagnostic(file: file, line: number, kind: kind, text: text))
      }
    }
    return found
  }

  /// Parses the diagnostics that a source announces: `// error: text` or `// warning: text`, one or more at the end of
  /// a line.
  static func announced(by source: String, file: String) -> [ClientDiagnostic] {
    var found: [ClientDiagnostic] = []
    for (index, line) in source.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      for comment in line.components(separatedBy: "  // ").dropFirst() {
        for kind in Kind.allCases where comment.hasPrefix("\(kind): ") {
          let text = String(comment.dropFirst("\(kind): ".count))
          found.append(ClientDiagnostic(file: file, line: index + 1, kind: kind, text: text))
        }
      }
    }
    return found
  }
}
