/// A sequence that is being walked through, and what is made of its elements.
final class InputCursor<Input: Sendable, Output>: @unchecked Sendable {
  // Sendable: one thread at a time walks; who that is, is decided under the lock of the gathering that the cursor is for.
  private var advance: (() -> Input?)?
  private var transform: (@Sendable (Input) -> Output)?
  /// Whether it has begun, so that it is to be released where it ran.
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

  /// What becomes of an input. Not to be called after ``end()``.
  func output(for input: Input) -> Output {
    guard let transform else { preconditionFailure("an input is started after the end of the cursor") }
    return transform(input)
  }

  /// Releases what the user has given, here and now, whoever still holds the cursor.
  func end() {
    advance = nil
    transform = nil
  }
}
