/// Who still wants the result: the votes of the children, and the seal.
///
/// # Layout
///
/// ```
///   31            8 7 6 5 4 3 2 1 0
///  ┌───────────────┬─┬─┬─┬─┬─┬─┬─┬─┐
///  │ n n … votes n │-│r│d│w│x│h│a│s│
///  └───────────────┴─┴─┴─┴─┴─┴─┴─┴─┘
///   s: sealed, the last handle is gone and no child can be added by the user
///   a: at least one child has asked to cancel
///   h: passes a request on as soon as all children have asked, even while a handle exists
///   x: somebody outside has a way to request cancelling that is not a handle, such as a token
///   w: the resolvers are gone, and a cancel handler will be given a new one: the last vote or handle that goes looks into the
///      `SideTable`
///   d: has been adopted (`Rank`)
///   r: of a step: its callback is suppressed (`Core+EndingUnobserved`)
///   n: children whose vote has not been withdrawn: up to 16,777,215
/// ```
///
/// # When a request goes up
///
/// When the last vote is withdrawn of a core that is sealed (or has `h`); or when a core is sealed that has no votes
/// left although a child has asked. A core that never had a child, or that still has a handle, is left alone.
///
/// | child made by            | adds a vote | withdraws it when asked       |
/// |--------------------------|-------------|-------------------------------|
/// | most operators           | yes         | yes                           |
/// | `tap`                    | no          | no                            |
/// | `onCancel`               | no          | no, but counts as having asked|
/// | `ignoringCancel`         | yes         | no                            |
///
/// Every change is one compare-exchange, so that of two racing changes exactly one sees the condition become true; a
/// request is idempotent, so that seeing it twice would do no harm either.
@usableFromInline
struct VoteWord: Equatable, Sendable {
  @usableFromInline var bits: UInt32

  @usableFromInline
  init(bits: UInt32) { self.bits = bits }

  static var sealedBit: UInt32 { 0b001 }
  static var askedBit: UInt32 { 0b010 }
  static var whileHeldBit: UInt32 { 0b100 }
  static var exposedBit: UInt32 { 0b1000 }
  static var waitingBit: UInt32 { 0b10000 }
  static var adoptedBit: UInt32 { 0b100000 }
  static var suppressedBit: UInt32 { 0b1000000 }
  static var one: UInt32 { 1 << 8 }

  var isSealed: Bool { bits & VoteWord.sealedBit != 0 }
  var hasAsked: Bool { bits & VoteWord.askedBit != 0 }
  var passesOnWhileHeld: Bool { bits & VoteWord.whileHeldBit != 0 }
  var isExposed: Bool { bits & VoteWord.exposedBit != 0 }
  var waitsForRequest: Bool { bits & VoteWord.waitingBit != 0 }
  var isAdopted: Bool { bits & VoteWord.adoptedBit != 0 }
  var count: UInt32 { bits / VoteWord.one }

  /// It has a callback that will not run.
  var isSuppressed: Bool { bits & VoteWord.suppressedBit != 0 }

  /// Nobody is left who could ask.
  var isUnreachable: Bool { count == 0 && isSealed }

  /// Waits for a request that nobody can make any more.
  var canNeverBeAsked: Bool { waitsForRequest && isUnreachable }

  /// Nobody wants the result any more, and somebody said so.
  private var passesOn: Bool { count == 0 && hasAsked && (isSealed || passesOnWhileHeld) }

  /// One more child that wants the result.
  func adding() -> VoteWord { VoteWord(bits: bits + VoteWord.one) }

  /// One more child, which adopts.
  func addingAdopter() -> VoteWord { VoteWord(bits: (bits + VoteWord.one) | VoteWord.adoptedBit) }

  /// One more child, unless the request to cancel is on its way up already.
  func joining() -> (word: VoteWord, hasJoined: Bool) { passesOn ? (self, false) : (adding(), true) }

  /// A child has asked to cancel and takes its vote back.
  func withdrawing() -> (word: VoteWord, passesOn: Bool) {
    guard count > 0 else { preconditionFailure("a vote was withdrawn that was never given: \(self)") }
    let word = VoteWord(bits: (bits - VoteWord.one) | VoteWord.askedBit)
    return (word, word.passesOn)
  }

  /// A child is replaced by another that has voted already, or resolved: its vote goes, and nobody has asked.
  func forgetting() -> (word: VoteWord, passesOn: Bool) {
    guard count > 0 else { preconditionFailure("a vote was forgotten that was never given: \(self)") }
    let word = VoteWord(bits: bits - VoteWord.one)
    return (word, word.passesOn)
  }

  /// The resolvers are gone, and the side table keeps the claim.
  func waitingForRequest() -> VoteWord { VoteWord(bits: bits | VoteWord.waitingBit) }

  /// The callback of a step will not run.
  func suppressing() -> VoteWord { VoteWord(bits: bits | VoteWord.suppressedBit) }

  /// A token, or the like, can ask from now on.
  func exposing() -> VoteWord { VoteWord(bits: bits | VoteWord.exposedBit) }

  /// Requests are passed on even while a handle exists.
  func passingOnWhileHeld() -> VoteWord { VoteWord(bits: bits | VoteWord.whileHeldBit) }

  /// A child without a vote has asked to cancel.
  func asking() -> (word: VoteWord, passesOn: Bool) {
    let word = VoteWord(bits: bits | VoteWord.askedBit)
    return (word, word.passesOn)
  }

  /// The last handle is gone.
  func sealing() -> (word: VoteWord, passesOn: Bool) {
    let word = VoteWord(bits: bits | VoteWord.sealedBit)
    return (word, word.passesOn)
  }
}

/// What becomes of the vote of a promise that ends while it has one.
enum VoteAtEnd {
  /// It goes, and nobody has asked.
  case isForgotten
  /// It goes as by a request, of which what the promise has waited for hears.
  case isWithdrawn
  /// Nobody can take it back, nor needs to.
  case stays
}
