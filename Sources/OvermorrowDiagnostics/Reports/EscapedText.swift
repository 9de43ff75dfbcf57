/// A place in a document for text from the program. An example of such text is the label of a queue.
package enum TextPlace: Sendable {
  /// Text between the tags of a page, or the value of a quoted attribute. Control characters become visible symbols.
  case html
  /// The inside of a JSON string, in a file or in a script of a page.
  case json
  /// The inside of a quoted label in Mermaid. Control characters become visible symbols.
  case mermaid
  /// A line of plain text. Control characters become visible symbols.
  case line
}

extension StringProtocol {
  /// Returns this text, escaped so that no character has a special meaning in the given place.
  package func escaped(for place: TextPlace) -> String {
    var text = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      if let replacement = place.replacement(of: scalar) {
        text.append(contentsOf: replacement.unicodeScalars)
      } else {
        text.append(scalar)
      }
    }
    return String(text)
  }
}

extension TextPlace {
  /// Returns the text that replaces a character. Returns `nil` if the character stays unchanged.
  fileprivate func replacement(of scalar: Unicode.Scalar) -> String? {
    if self != .json, let symbol = scalar.controlSymbol { return symbol }
    switch self {
    case .html: return "&<>\"'".unicodeScalars.contains(scalar) ? "&#\(scalar.value);" : nil
    case .json:
      // Angle brackets and the ampersand are escaped because, inside a script, the text `</script>` would end the
      // script.
      let needsEscape = "\"\\<>&".unicodeScalars.contains(scalar) || scalar.controlSymbol != nil
      return needsEscape ? "\\u\(String(scalar.value + 0x10000, radix: 16).dropFirst())" : nil
    case .mermaid:
      // Brackets, quotes, backticks, "%%" and other characters have a meaning even in a label. The meaning differs
      // between versions of Mermaid.
      let isPlain =
        !scalar.isASCII || scalar.properties.isAlphabetic || " 0123456789.,:-_/()".unicodeScalars.contains(scalar)
      return isPlain ? nil : "#\(scalar.value);"
    case .line: return nil
    }
  }
}

extension Unicode.Scalar {
  /// A visible symbol for a control character or a separator of lines; `nil` for other characters.
  fileprivate var controlSymbol: String? {
    switch value {
    case 0..<0x20: Unicode.Scalar(0x2400 + value).map { String(Character($0)) }
    case 0x7F: "\u{2421}"
    case 0x80..<0xA0, 0x2028, 0x2029: "\u{FFFD}"
    default: nil
    }
  }
}
