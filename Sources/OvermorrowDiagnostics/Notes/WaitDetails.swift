internal import OvermorrowEngine

extension CoreRef {
  /// The largest number of promises that are visited along a chain.
  private static var longestChain: Int { 1000 }

  /// A sentence about the promise of this core and what the promise waits for in the end; `nil` if the promise has no
  /// note or is resolved. The caller has the handle of the core or a count on the core.
  package var waitDetails: String? {
    guard let cause = waitCause, let note = CoreNote.find(self) else { return nil }
    return "\(note.label) waits for \(cause)"
  }

  /// What the promise of this core waits for in the end; `nil` if the promise has no note or is resolved. If a promise
  /// has several inputs, only the first unresolved input is followed. The caller has the handle of the core or a count
  /// on the core.
  package var waitCause: String? {
    guard let note = CoreNote.find(self), !state.isResolved else { return nil }
    var kept = OwnedCores()
    var root = self
    for _ in 0..<Self.longestChain {
      guard let next = kept.keep(root.upstream(unresolved: 1)).first(where: { !$0.state.isResolved }) else { break }
      root = next
    }
    return withExtendedLifetime(kept) {
      guard root != self else { return cause }
      let place = CoreNote.find(root)?.label
      let middle = place == nil || place == note.label ? "a promise before it" : place ?? ""
      return "\(middle), which waits for \(root.cause)"
    }
  }
}

extension CoreNote {
  /// The promise in a sentence, with its name and the place where it was made, if they are known.
  final var label: String {
    let parts = ["the promise", name.map { "\"\($0)\"" }, site.text.map { "made at \($0)" }]
    return parts.compactMap { $0 }.joined(separator: " ")
  }
}
