/// A position in a sequence, with a closure that makes promises from the elements of the sequence.
final class InputCursor<Value: Sendable, Failure: Sendable>: @unchecked Sendable {
  // Sendable: one thread at a time uses the cursor, and the lock of the gathering decides which thread.
  private var advance: (() -> (() -> Promise<Value, Failure>)?)?
  /// Whether the cursor was used. If so, the cursor must be released on the context where the cursor was used.
  private(set) var hasBegun = false

  init<Inputs: Sequence>(
    _ inputs: sending Inputs, _ transform: @escaping @Sendable (Inputs.Element) -> Promise<Value, Failure>
  ) {
    var iterator = inputs.makeIterator()
    advance = { iterator.next().map { input in { transform(input) } } }
  }

  /// Reads the next input, and returns a closure that starts the promise of the input. Returns `nil` if there is no
  /// further input.
  func next() -> (() -> Promise<Value, Failure>)? {
    hasBegun = true
    return advance?()
  }

  /// Releases the user's sequence and closure now, even if the cursor is still retained.
  func release() { advance = nil }
}
