/// A position in a sequence, with a closure that transforms its elements.
final class InputCursor<Input: Sendable, Output>: @unchecked Sendable {
  // Sendable: one thread at a time uses the cursor; the lock of the gathering decides which.
  private var advance: (() -> Input?)?
  private var transform: (@Sendable (Input) -> Output)?
  /// Whether it was used, so that it must be released where it ran.
  private(set) var hasBegun = false

  init<Inputs: Sequence>(_ inputs: sending Inputs, _ transform: @escaping @Sendable (Input) -> Output)
  where Inputs.Element == Input {
    var iterator = inputs.makeIterator()
    advance = { iterator.next() }
    self.transform = transform
  }

  /// The next input.
  func next() -> Input? {
    hasBegun = true
    return advance?()
  }

  /// Transforms an input. Not called after ``end()``.
  func output(for input: Input) -> Output {
    guard let transform else { preconditionFailure("an input is started after the end of the cursor") }
    return transform(input)
  }

  /// Releases the user's sequence and closure now, even if the cursor is still held.
  func end() {
    advance = nil
    transform = nil
  }
}
