/// The interest in the result: the votes of the children, and the seal.
///
/// # Layout
///
/// ```
///   31            8 7 6 5 4 3 2 1 0
///  ┌───────────────┬─┬─┬─┬─┬─┬─┬─┬─┐
///  │ n n … votes n │-│-│k│r│x│h│a│s│
///  └───────────────┴─┴─┴─┴─┴─┴─┴─┴─┘
///   s: sealed: the last handle is gone, and user code can add no child
///   a: at least one child has asked to cancel
///   h: forwards a request as soon as all children have asked, even while a handle exists
///   x: exposed: a request may come by a way that is not a handle, such as a token
///   r: a step whose callback is suppressed (`Core+EndingUnobserved`)
///   k: the side table has kept a copy of the resolver, which the end of the last handle releases
///   n: children whose vote was not withdrawn: up to 16,777,215
/// ```
///
/// # When a request goes up
///
/// A request goes up when three conditions are true together: no vote is left, at least one child has asked, and the
/// core is sealed or has `h`. So a core that never had a child forwards no request. A core without `h` forwards no
/// request while it has a handle.
///
/// | child made by            | adds a vote | withdraws it when asked       |
/// |--------------------------|-------------|-------------------------------|
/// | most operators           | yes         | yes                           |
/// | `tap`                    | no          | no                            |
/// | `onCancel`               | no          | no, but counts as having asked|
/// | `ignoringCancel`         | yes         | no                            |
///
/// Every change is one compare-exchange, so exactly one of two racing changes sees the condition become true. A request
/// is idempotent, so a second request would be harmless.
@usableFromInline
package struct VoteWord: Equatable, Sendable {
  @usableFromInline var bits: UInt32

  @usableFromInline
  init(bits: UInt32) { self.bits = bits }

  static var sealedBit: UInt32 { 0b001 }
  static var askedBit: UInt32 { 0b010 }
  static var whileHeldBit: UInt32 { 0b100 }
  static var exposedBit: UInt32 { 0b1000 }
  static var suppressedBit: UInt32 { 0b10000 }
  static var keepingBit: UInt32 { 0b100000 }
  static var one: UInt32 { 1 << 8 }

  var isSealed: Bool { bits & VoteWord.sealedBit != 0 }
  var hasAsked: Bool { bits & VoteWord.askedBit != 0 }
  var goesUpWhileHeld: Bool { bits & VoteWord.whileHeldBit != 0 }
  var isExposed: Bool { bits & VoteWord.exposedBit != 0 }
  package var count: UInt32 { bits / VoteWord.one }

  /// Whether the core is a step whose callback will not run.
  var isSuppressed: Bool { bits & VoteWord.suppressedBit != 0 }

  /// Whether the side table has kept a copy of the resolver. The bit stays after the copy was released.
  var keepsResolver: Bool { bits & VoteWord.keepingBit != 0 }

  package var isUnreachable: Bool { count == 0 && isSealed }

  /// Whether a request goes up: no vote is left, a child has asked, and the core is sealed or has `h`.
  private var requestGoesUp: Bool { count == 0 && hasAsked && (isSealed || goesUpWhileHeld) }

  func adding() -> VoteWord {
    let (bits, overflows) = bits.addingReportingOverflow(VoteWord.one)
    if overflows { preconditionFailure("a promise can have at most 16,777,215 pending children, found \(self)") }
    return VoteWord(bits: bits)
  }

  /// Adds the vote of a child. If a request is already going up, changes nothing.
  func joining() -> (word: VoteWord, hasJoined: Bool) { requestGoesUp ? (self, false) : (adding(), true) }

  /// Withdraws the vote of a child that has asked to cancel.
  func withdrawing() -> (word: VoteWord, requestGoesUp: Bool) {
    guard count > 0 else { preconditionFailure("a vote that was never given was withdrawn: \(self)") }
    let word = VoteWord(bits: (bits - VoteWord.one) | VoteWord.askedBit)
    return (word, word.requestGoesUp)
  }

  /// Removes the vote of a child that has resolved, or that another child with a vote replaces. The removal of a vote
  /// does not count as a request.
  func forgetting() -> (word: VoteWord, requestGoesUp: Bool) {
    guard count > 0 else { preconditionFailure("a vote that was never given was forgotten: \(self)") }
    let word = VoteWord(bits: bits - VoteWord.one)
    return (word, word.requestGoesUp)
  }

  func suppressing() -> VoteWord { VoteWord(bits: bits | VoteWord.suppressedBit) }

  /// Records that the side table keeps a copy of the resolver.
  func keepingResolver() -> VoteWord { VoteWord(bits: bits | VoteWord.keepingBit) }

  /// Records that a request may come without a handle, such as from a token.
  func exposing() -> VoteWord { VoteWord(bits: bits | VoteWord.exposedBit) }

  /// Records that the core forwards requests even while a handle exists.
  func goingUpWhileHeld() -> VoteWord { VoteWord(bits: bits | VoteWord.whileHeldBit) }

  /// Records that a child without a vote has asked to cancel.
  func asking() -> (word: VoteWord, requestGoesUp: Bool) {
    let word = VoteWord(bits: bits | VoteWord.askedBit)
    return (word, word.requestGoesUp)
  }

  /// Seals the core after the end of its last handle.
  func sealing() -> (word: VoteWord, requestGoesUp: Bool) {
    let word = VoteWord(bits: bits | VoteWord.sealedBit)
    return (word, word.requestGoesUp)
  }
}

/// The treatment of the vote of a promise that ends while it waits for another one.
@usableFromInline
enum VoteAtEnd {
  /// The vote is removed without a request.
  case isForgotten
  /// The vote is withdrawn, as if the promise was asked to cancel. So the request may go up to the other promise.
  case isWithdrawn
  /// Nothing is done. The vote was withdrawn before, or stays and can no longer be withdrawn.
  case stays
}
