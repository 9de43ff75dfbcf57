/// The properties of a core, such as the results that a step wants and its part in cancellation.
@usableFromInline
package struct Traits: OptionSet, Sendable {
  @usableFromInline package let rawValue: UInt32
  @inlinable package init(rawValue: UInt32) { self.rawValue = rawValue }

  /// The callback runs for a value (`onValue`), for an error (`onError`), or for a cancelled source (`onCancelled`).
  @inlinable package static var onValue: Traits { Traits(rawValue: 1 << 0) }
  @inlinable package static var onError: Traits { Traits(rawValue: 1 << 1) }
  @inlinable package static var onCancelled: Traits { Traits(rawValue: 1 << 2) }
  @inlinable package static var onAnything: Traits { [.onValue, .onError, .onCancelled] }

  /// The step adds a vote to its source.
  @inlinable package static var votes: Traits { Traits(rawValue: 1 << 3) }
  /// The step withdraws its vote when the step is asked to cancel.
  @inlinable static var withdraws: Traits { Traits(rawValue: 1 << 4) }
  /// The step has no vote. If the step is asked to cancel, its source counts it as a child that has asked.
  @inlinable package static var asks: Traits { Traits(rawValue: 1 << 5) }
  /// The usual traits: one vote, which a request to cancel withdraws.
  @inlinable package static var takesPart: Traits { [.votes, .withdraws] }

  /// The core may have cancel handlers, which are released when the core resolves.
  @inlinable package static var hasHandlers: Traits { Traits(rawValue: 1 << 6) }
  /// The destruction of the value (`trivialValue`) or of the error (`trivialError`) needs no work.
  @inlinable static var trivialValue: Traits { Traits(rawValue: 1 << 8) }
  @inlinable static var trivialError: Traits { Traits(rawValue: 1 << 9) }

  /// The step reads the error only to forward the error.
  @inlinable package static var handlesNoError: Traits { Traits(rawValue: 1 << 11) }
  /// The core has a resolver object instead of a source.
  package static var hasResolver: Traits { Traits(rawValue: 1 << 12) }
  /// The core has a note: `CoreNote`.
  package static var checked: Traits { Traits(rawValue: 1 << 13) }
  /// The core has a record: `CoreRecord`.
  @inlinable static var recorded: Traits { Traits(rawValue: 1 << 14) }
  /// The step may get an error that is not from its source, for instance from a timeout.
  @inlinable package static var resolvesBeforeSource: Traits { Traits(rawValue: 1 << 15) }
  /// The core was just made, and may need a note.
  @inlinable static var awaitsNote: Traits { Traits(rawValue: 1 << 16) }
  /// The library made the core for its own use, so user code has no resolver of the core. A step with this trait does
  /// not count as a reader of the error.
  @inlinable package static var library: Traits { Traits(rawValue: 1 << 17) }

  /// The callback makes a result, and never a promise to adopt.
  @inlinable package static var makesResult: Traits { Traits(rawValue: 1 << 18) }

  /// The operations lie in a box: `OperationsWord`.
  static var boxed: Traits { Traits(rawValue: 1 << 19) }

  /// The callback runs on the main queue. If the callback does not run, it is released there.
  static var onMain: Traits { Traits(rawValue: 1 << 20) }

  /// The core looks for a cycle when it adopts a promise, even if it is not watched.
  package static var findsCycles: Traits { Traits(rawValue: 1 << 21) }

  /// The step resumes a task.
  package static var resumesTask: Traits { Traits(rawValue: 1 << 22) }

  /// The callback belongs to the library, and the source need not stay for it: once nothing else observes the source
  /// and the source was asked to cancel, the source ends, and the callback runs for a cancelled source. If nothing
  /// observes the step itself, a request to cancel the step drops the callback.
  @inlinable package static var passive: Traits { Traits(rawValue: 1 << 23) }

  /// If the source is already resolved, the step runs at once, inside the registering call (`PromiseContext.nowOr`).
  package static var nowOr: Traits { Traits(rawValue: 1 << 7) }

  /// The size class of the core's memory, in the highest bits: `CoreRef.allocate`.
  var sizeClass: UInt32 { rawValue >> 24 }
  func with(sizeClass: UInt32) -> Traits { Traits(rawValue: rawValue | sizeClass << 24) }

  /// Returns whether the destruction of the result of a core in this state needs no work. Only a value or an error can
  /// need work. The bits of the two traits are in the order of ``Outcome``.
  @inline(__always)
  func isTrivial(_ state: StateWord) -> Bool {
    let all = rawValue | 1 << 10
    return state.bits & StateWord.resolvedBit == 0 || all >> (8 + UInt32(state.outcomeBits)) & 1 != 0
  }

  /// Returns the same as `contains` for one trait. This function is also fast in unoptimised code.
  package func has(_ trait: Traits) -> Bool { rawValue & trait.rawValue != 0 }

  /// Whether the core has a note or a record. Then its steps get one, too.
  package var isFollowed: Bool { rawValue & (Traits.checked.rawValue | Traits.recorded.rawValue) != 0 }

  /// Returns whether the callback runs for the outcome of a core in this state, or `false` if the core is unresolved.
  package func wantsOutcome(of state: StateWord) -> Bool {
    state.isResolved && rawValue & (1 << UInt32(state.outcomeBits)) != 0
  }
}
