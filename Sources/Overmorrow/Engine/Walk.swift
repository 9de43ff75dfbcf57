/// A sequence that is being walked through, and what is made of its elements.
final class Walk<Input: Sendable, Output>: @unchecked Sendable {
  // Sendable: one thread at a time walks; who that is, is decided under the lock of the gathering that the walk is for.
  private let advance: () -> Input?
  private let transform: @Sendable (Input) -> Output
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
    return advance()
  }

  /// What becomes of an input.
  func output(for input: Input) -> Output { transform(input) }
}
