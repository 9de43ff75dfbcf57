package import Overmorrow

/// The course of promises over time, drawn as rows with one character per second.
///
/// ```
/// in   --a
/// out  -----a
/// ```
///
/// Here the input is fulfilled with `a` after two seconds, and the output after five. `#` marks a rejection, `x` a
/// cancellation, and `-` a second without an event. A row of dashes stays unresolved. In the row `ask`, `?` requests
/// the cancellation of the output; in the row of an input, `?` means that the input has received a request and has
/// complied. In each second, the clock ticks first, then the inputs resolve from top to bottom, then the output is
/// asked.
package struct MarbleDiagram: Sendable, CustomStringConvertible {
  /// The error with which inputs are rejected.
  package struct Failure: Error {}

  package typealias Input = Promise<Character, Failure>

  fileprivate struct Row {
    let name: String
    var marks: [Character] = []

    var isInput: Bool { name != "ask" && name != "out" }
  }

  private let rows: [Row]

  /// Parses a diagram. Each line has a name, spaces and marks. The last line is the output.
  package init(_ text: String) {
    let lines = text.split(separator: "\n").map { $0.split(separator: " ") }
    precondition(lines.allSatisfy { $0.count == 2 }, "each row must have a name and marks: \(text)")
    precondition(lines.last?[0] == "out", "the last row must be named out: \(text)")
    let seconds = lines.map { $0[1].count }.max() ?? 0
    rows = lines.map { line in
      Row(name: String(line[0]), marks: line[1] + Array(repeating: "-", count: seconds - line[1].count))
    }
  }

  package var description: String { MarbleDiagram.text(of: rows) }

  private static func text(of rows: [Row]) -> String {
    rows.map { "\($0.name) \(String($0.marks))" }.joined(separator: "\n")
  }

  /// Resolves the inputs and asks the output as this diagram says, and draws what happens. The drawing equals
  /// ``description`` if everything else happens as in the diagram.
  ///
  /// - Parameters:
  ///   - tick: Advances the clock by a second.
  ///   - makeOutput: Makes the output from the inputs. The output must resolve synchronously, inside the call that
  ///     resolves an input or advances the clock.
  package func drawn<Error>(tick: () -> Void, _ makeOutput: ([Input]) -> Promise<Character, Error>) -> String {
    let inputs = rows.filter(\.isInput).map { _ in CancelProbe<Character, Failure>(complying: true) }
    let output = makeOutput(inputs.map { $0.take() })
    var drawn = rows.map { Row(name: $0.name) }
    for second in rows[0].marks.indices {
      if second > 0 { tick() }
      for (row, input) in zip(rows.filter(\.isInput), inputs) { row.resolve(input.resolver, at: second) }
      if rows.contains(where: { $0.name == "ask" && $0.marks[second] == "?" }) { output.requestCancel() }
      var asked = inputs.map { $0.requestCount > 0 }.makeIterator()
      for (index, row) in rows.enumerated() {
        let isNew = !drawn[index].marks.contains { $0 != "-" }
        let event: Character? =
          switch row.name {
          case "ask": row.marks[second]
          case "out": output.result?.mark
          default: asked.next() == true ? "?" : row.marks[second] == "?" ? "-" : row.marks[second]
          }
        drawn[index].marks.append(isNew ? event ?? "-" : "-")
      }
    }
    return MarbleDiagram.text(of: drawn)
  }
}

extension MarbleDiagram.Row {
  /// Resolves an input as its row says for the given second.
  fileprivate func resolve(_ resolver: MarbleDiagram.Input.Resolver, at second: Int) {
    switch marks[second] {
    case "-", "?": break
    case "#": resolver.reject(with: MarbleDiagram.Failure())
    case "x": resolver.cancel()
    case let value: resolver.fulfill(with: value)
    }
  }
}

extension PromiseResult where Value == Character {
  fileprivate var mark: Character {
    switch self {
    case .value(let value): value
    case .error: "#"
    case .cancelled: "x"
    }
  }
}
