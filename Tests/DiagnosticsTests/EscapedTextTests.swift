import Foundation
import OvermorrowTesting
import TestSupport
import Testing

@testable import Overmorrow
@testable import OvermorrowDiagnostics

/// Text of the program in pages, in trace events and in flow charts.
@Suite(.inTurn) struct EscapedTextTests {
  /// All ASCII and Latin-1 characters, the separators of lines, and a character beyond 16 bits.
  private static let characters = (Array(0...0xFF) + [0x2028, 0x2029, 0x1F600]).compactMap(Unicode.Scalar.init)

  private static func isInert(_ scalar: Unicode.Scalar, besides special: String) -> Bool {
    !special.unicodeScalars.contains(scalar) && scalar.properties.generalCategory != .control
      && scalar.value != 0x2028 && scalar.value != 0x2029
  }

  @Test("15.28 no character ends the text or attribute of a page that contains it")
  func html() {
    for scalar in Self.characters {
      let text = "a\(scalar)b".escaped(for: .html)
      #expect(text.unicodeScalars.allSatisfy { Self.isInert($0, besides: "<>\"'") }, "\(scalar.value): \(text)")
      if text.contains("&") { #expect(text == "a&#\(scalar.value);b") }
    }
    #expect("a b\n\u{7F}é😀".escaped(for: .html) == "a b␊␡é😀")
  }

  @Test("15.28 each character in JSON is decoded as itself, and ends no script")
  func json() throws {
    for scalar in Self.characters {
      let text = "a\(scalar)b"
      let escaped = text.escaped(for: .json)
      let isInert = escaped.unicodeScalars.allSatisfy { Self.isInert($0, besides: "<>\"") }
      #expect(isInert, "\(scalar.value): \(escaped)")
      let decoded = try JSONSerialization.jsonObject(with: Data("[\"\(escaped)\"]".utf8)) as? [String]
      #expect(decoded.map { $0.map { Array($0.unicodeScalars) } } == [Array(text.unicodeScalars)], "\(scalar.value)")
    }
  }

  @Test("15.28 no character ends a flow chart's label or is read as its syntax")
  func mermaid() {
    for scalar in Self.characters {
      let text = "a\(scalar)b".escaped(for: .mermaid)
      #expect(text.unicodeScalars.allSatisfy { Self.isInert($0, besides: "<>\"'`&[]{}|%") }, "\(scalar.value): \(text)")
      if text.contains("#") || text.contains(";") { #expect(text == "a#\(scalar.value);b") }
    }
  }

  @Test("15.28 a plain line contains no line break")
  func line() {
    for scalar in Self.characters {
      let text = "a\(scalar)b".escaped(for: .line)
      #expect(text.unicodeScalars.allSatisfy { Self.isInert($0, besides: "") }, "\(scalar.value): \(text)")
      #expect(text.unicodeScalars.count == 3)
    }
  }

  @Test("15.18 15.28 any character in a queue label leaves lists and flow charts intact")
  func label() {
    let label = String(String.UnicodeScalarView(Self.characters.dropFirst()))
    _ = PromiseDiagnostics.checking {
      let (promise, resolver) = Promise<Int, Flaw>.makeWithResolver()
      let step = promise.map(on: .queue(DispatchQueue(label: label))) { $0 }
      let pending = PromiseDiagnostics.pending(upstreamOf: step)
      #expect(pending.entries.last?.context == label)
      #expect(pending.description.split(whereSeparator: \.isNewline).count == 3)
      let chart = pending.mermaid.split(whereSeparator: \.isNewline)
      #expect(chart.count == 5)
      #expect(chart.allSatisfy { $0.count { $0 == "\"" } % 2 == 0 && !$0.contains("<") })
      resolver.cancel()
    }
  }
}
