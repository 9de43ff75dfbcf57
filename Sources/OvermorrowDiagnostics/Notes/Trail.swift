internal import OvermorrowEngine

/// The trail of an error with the places of its promises: what `PromiseTrail` is for programs, which explains the
/// parts.
package struct Trail: Sendable {
  /// One promise on the trail of the error.
  package struct Entry: Sendable, Hashable {
    package enum Kind: String, Sendable {
      case promise, step, adoption
    }

    package let kind: Kind
    package let operation, place, name, context, detail: String?
    package let isRejectedHere: Bool
    /// The return addresses of the calls that made the promise, the innermost call first.
    let addresses: [UInt]

    package var calls: [String] { CallStack(addresses: addresses).texts }
  }

  package let entries: [Entry]
  /// The number of promises that are left out in the middle of the trail.
  package let omitted: Int
  /// The number of entries before the promises that are left out.
  let firstCount: Int
  /// Whether the trail may be that of another error with the same type and the same description.
  package var isGuess = false
}

extension Trail: CustomStringConvertible {
  /// The trail with one promise on each line.
  package var description: String {
    var lines = entries.map { "  \($0.text.escaped(for: .line))" }
    if omitted > 0 { lines.insert("  … \(omitted) more", at: firstCount) }
    if isGuess { lines.insert("  perhaps, as an error with the same description:", at: 0) }
    return lines.joined(separator: "\n")
  }

  /// The trail as a JSON object.
  package var json: String {
    "{\"entries\":[\(entries.map(\.json).joined(separator: ","))],\"omitted\":\(omitted),\"isGuess\":\(isGuess)}"
  }
}

extension Trail.Entry {
  fileprivate var text: String {
    let head =
      switch kind {
      case .promise: operation.map { "\($0) made" } ?? "made"
      case .step: operation ?? "step"
      case .adoption: "adopted by \(operation ?? (context == nil && addresses.isEmpty ? "the promise made" : "a step"))"
      }
    let named = name.map { " named \"\($0)\"" } ?? ""
    let place = " at \(place ?? calls.first ?? "an unknown place")"
    return "\(head)\(named)\(place)\(context.map { " on \($0)" } ?? "")\(detail.map { ", \($0)" } ?? "")"
      + (isRejectedHere ? ", rejected here" : "")
  }

  fileprivate var json: String {
    let texts: [(String, String?)] = [
      ("kind", kind.rawValue), ("operation", operation), ("place", place), ("name", name), ("context", context),
      ("detail", detail),
    ]
    let members = texts.compactMap { key, text in text.map { "\"\(key)\":\"\($0.escaped(for: .json))\"" } }
    let calls = calls.map { "\"\($0.escaped(for: .json))\"" }.joined(separator: ",")
    let others = ["\"calls\":[\(calls)]", "\"isRejectedHere\":\(isRejectedHere)"]
    return "{\((members + others).joined(separator: ","))}"
  }
}
