import Foundation

/// An error or a warning: what the compiler says, or what a comment in a client's source says that it has to say.
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

  /// Whether this is what a comment announces, which may leave out the end of it.
  func matches(_ expected: ClientDiagnostic) -> Bool {
    file == expected.file && line == expected.line && kind == expected.kind && text.hasPrefix(expected.text)
  }

  /// The diagnostics in a compiler's output, each once: `path:line:column: kind: text`.
  static func parse(output: String) -> Set<ClientDiagnostic> {
    var found: Set<ClientDiagnostic> = []
    for line in output.split(whereSeparator: \.isNewline) {
      for kind in Kind.allCases {
        guard let mark = line.range(of: ": \(kind): ") else { continue }
        let place = line[..<mark.lowerBound].split(separator: ":")
        let text = String(line[mark.upperBound...])
        // What belongs to no line, such as an option that is not known, must not be overlooked either.
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

  /// What the comments of a source announce: `// error: text` or `// warning: text` at the end of the line, once or more.
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
