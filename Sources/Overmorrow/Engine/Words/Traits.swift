/// Which results a step wants, and how it takes part in cancellation.
@usableFromInline
struct Traits: OptionSet, Sendable {
  @usableFromInline let rawValue: UInt32
  @inlinable init(rawValue: UInt32) { self.rawValue = rawValue }

  /// The callback runs for a value, an error, or a cancelled source.
  @inlinable static var onValue: Traits { Traits(rawValue: 1 << 0) }
  @inlinable static var onError: Traits { Traits(rawValue: 1 << 1) }
  @inlinable static var onCancelled: Traits { Traits(rawValue: 1 << 2) }
  @inlinable static var onAnything: Traits { [.onValue, .onError, .onCancelled] }

  /// Adds a vote to its source.
  @inlinable static var votes: Traits { Traits(rawValue: 1 << 3) }
  /// Withdraws its vote when it is asked to cancel.
  @inlinable static var withdraws: Traits { Traits(rawValue: 1 << 4) }
  /// Has no vote, but a request to it counts as the request of a child.
  @inlinable static var asks: Traits { Traits(rawValue: 1 << 5) }
  /// The usual way: one vote, withdrawn by a request.
  @inlinable static var takesPart: Traits { [.votes, .withdraws] }

  /// May have cancel handlers, which are discarded when it resolves.
  @inlinable static var hasHandlers: Traits { Traits(rawValue: 1 << 6) }
  /// Its value, or its error, needs no work when it is destroyed.
  @inlinable static var trivialValue: Traits { Traits(rawValue: 1 << 8) }
  @inlinable static var trivialError: Traits { Traits(rawValue: 1 << 9) }

  /// Reads the error only to pass it on.
  @inlinable static var passesOn: Traits { Traits(rawValue: 1 << 11) }
  /// Has a producer instead of a source.
  static var produced: Traits { Traits(rawValue: 1 << 12) }
  /// Has a note: `CoreNote`.
  static var checked: Traits { Traits(rawValue: 1 << 13) }
  /// May be rejected from elsewhere than its source, for instance by a timeout.
  @inlinable static var endsFromOutside: Traits { Traits(rawValue: 1 << 15) }
  /// It was just made, and may need a note.
  @inlinable static var awaitsNote: Traits { Traits(rawValue: 1 << 16) }
  /// Made by the library for its own use: user code has no resolver of it. If it is a step, it does not count as a
  /// reader of the error.
  @inlinable static var library: Traits { Traits(rawValue: 1 << 17) }

  /// Its callback makes a result, and never a promise to adopt.
  @inlinable static var makesResult: Traits { Traits(rawValue: 1 << 18) }

  /// Its operations lie in a box: `OperationsWord`.
  static var boxed: Traits { Traits(rawValue: 1 << 19) }

  /// Its callback runs on the main queue, and is released there if it does not run.
  static var onMain: Traits { Traits(rawValue: 1 << 20) }

  /// Runs at once, inside the registering call, when its source is resolved by then (`PromiseContext.nowOr`).
  static var nowOr: Traits { Traits(rawValue: 1 << 7) }

  /// The size class of the core's memory, in the highest bits: `CoreRef.allocate`.
  var sizeClass: UInt32 { rawValue >> 24 }
  func with(sizeClass: UInt32) -> Traits { Traits(rawValue: rawValue | sizeClass << 24) }

  /// Whether the result of a core in this state needs no work when it is destroyed. Only a value or an error can need
  /// work; their bits follow the order of ``Outcome``.
  @inline(__always)
  func isTrivial(_ state: StateWord) -> Bool {
    let all = rawValue | 1 << 10
    return state.bits & StateWord.resolvedBit == 0 || all >> (8 + UInt32(state.outcomeBits)) & 1 != 0
  }

  /// The same as `contains` for one trait, but also fast in unoptimised code.
  func has(_ trait: Traits) -> Bool { rawValue & trait.rawValue != 0 }

  /// Whether the callback runs for the outcome of a core in this state; `false` without an outcome.
  func wantsOutcome(of state: StateWord) -> Bool {
    state.isResolved && rawValue & (1 << UInt32(state.outcomeBits)) != 0
  }
}
