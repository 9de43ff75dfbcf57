/// A position in a sequence, with a closure that makes promises from its elements.
final class InputCursor<Value: Sendable, Failure: Sendable>: @unchecked Sendable {
  // Sendable: one thread at a time uses the cursor; the lock of the gathering decides which.
  private var advance: (() -> (() -> Promise<Value, Failure>)?)?
  /// Whether the cursor was used. If so, it must be released on the context where it was used.
  private(set) var hasBegun = false

  init<Inputs: Sequence>(
    _ inputs: sending Inputs, _ transform: @escaping @Sendable (Inputs.Element) -> Promise<Value, Failure>
  ) {
    var iterator = inputs.makeIterator()
    advance = { iterator.next().map { input in { transform(input) } } }
  }

  /// Reads the next input, and returns a closure that starts its promise.
  func next() -> (() -> Promise<Value, Failure>)? {
    hasBegun = true
    return advance?()
  }

  /// Releases the user's sequence and closure now, even if the cursor is still held.
  func end() { advance = nil }
}
