/// What the copies of one promise share, whatever its types: a fixed header, with the payload right behind it.
///
/// ```
///  ┌───────────────────────────────────────────────┬──────────────────────────────┐
///  │ CoreState (this)                              │ payload                      │
///  │                                               │ the callback, then the result│
///  └───────────────────────────────────────────────┴──────────────────────────────┘
/// ```
///
/// The core knows no value type. What depends on types is done by `operations`, a function that the typed layer
/// supplies (`StepOperations`, `RootOperations`), in one word (`OperationsWord`). The payload first holds the callback of a step, which is
/// taken out when the step runs, and then the result: one place serves both.
///
/// A child's core *is* its parent's list node: `next` links it there. Nothing is allocated to wait.
@usableFromInline
struct CoreState: ~Copyable {
  /// Phase and waiters: `StateWord`.
  let state: Atomic<UInt>
  /// What the core waits for, whether a request has been made, and the way to its `Ties`: `LinkWord`.
  let link: Atomic<UInt>
  /// Votes and seal: `VoteWord`.
  let votes: Atomic<UInt32>
  /// How many hold this core: its handle, its being unresolved or undrained, each child's upstream, each step that
  /// waits on a queue for its result, each resolver. The last one destroys the payload and lets the memory go.
  let count: Atomic<UInt32>
  /// The next of the steps in the list that this one is in: its source's waiters, then what is ready in a pass. It is
  /// in one at a time, and its link stays as it is if the step is resolved from the side meanwhile.
  var next = Watched<CoreRef?>(nil)
  /// What a pass does after this core, which it drains: the bits of a link in its agenda.
  var following = Watched<UInt>(0)
  /// The core whose result a step that has been handed to a context is going to read, counted. Before that, room for a
  /// link of the agenda that the step is in, not counted.
  var source = Watched<CoreRef?>(nil)
  /// Where the step runs: a `Place`. Its owner alone reads and changes it; a blocking wait compares it, with what it
  /// holds itself, and needs an atomic for that only.
  let place: Atomic<UInt>
  /// What the step wants, and how it votes. Never changes once anybody but its creator has seen the core.
  @usableFromInline
  var traits: Watched<Traits>
  /// Lower than the ranks of all that this core waits for: `Rank`.
  let rank = Atomic<Int32>(0)
  /// All that depends on types; wrapped, before anybody has seen the core, if it has a note.
  var operations: Watched<OperationsWord>
  /// Empty, but in an exploring build.
  let watch: CoreWatch

  init(state: StateWord, count: UInt32, traits: Traits, place: Place, operations: OperationsWord) {
    self.state = Atomic(state.bits)
    self.link = Atomic(LinkWord.none.bits)
    self.votes = Atomic(0)
    self.count = Atomic(count)
    self.traits = Watched(traits)
    self.place = Atomic(place.bits)
    self.operations = Watched(operations)
    watch = CoreWatch()
    nameWords()
  }
}

/// What the engine asks of the typed layer.
@usableFromInline
enum Operation: Sendable {
  /// Run the callback with the source's result.
  case run
  /// Drop the callback and pass the source's result on, as far as the types allow.
  case pass
  /// The same for a step whose callback has been moved out.
  case passWithout
  /// Answer with the callback, moved out: a `DroppedCallback`.
  case takeOut
  /// Copy the source's result, which has the same types.
  case adopt
  /// Destroy the value.
  case destroyValue
  /// Destroy the error.
  case destroyError
  /// Answer with a copy of the error: an `ErrorCopy`.
  case copyError
  /// Answer with the note that the core has: a `CoreNote`. Nobody asks this of a core without one.
  case findNote
}

/// What an operation answers that has been asked for something.
@usableFromInline
class Answer: @unchecked Sendable {
  // Sendable: each is on its way from one owner to the next, or says why itself.
}

/// What became of an operation.
@usableFromInline
enum Verdict {
  /// The payload holds the result, of this kind.
  case value, error, cancelled
  /// The callback returned this promise, to be adopted.
  case promise(PromiseHandle)
  /// What has been asked for.
  case answer(Answer)
}

@usableFromInline
typealias Operations = @Sendable (_ operation: Operation, _ core: CoreRef, _ source: CoreRef?) -> Verdict

/// What a step wants to see, and how it takes part in cancellation.
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
  /// Withdraws that vote when it is asked to cancel.
  @inlinable static var withdraws: Traits { Traits(rawValue: 1 << 4) }
  /// Has no vote, but a request made to it counts as made by a child.
  @inlinable static var asks: Traits { Traits(rawValue: 1 << 5) }
  /// The usual way: one vote, withdrawn by a request.
  @inlinable static var takesPart: Traits { [.votes, .withdraws] }

  /// May have cancel handlers, which are discarded when it resolves.
  @inlinable static var hasHandlers: Traits { Traits(rawValue: 1 << 6) }
  /// Its value, or its error, needs nothing done when it is destroyed.
  @inlinable static var trivialValue: Traits { Traits(rawValue: 1 << 8) }
  @inlinable static var trivialError: Traits { Traits(rawValue: 1 << 9) }

  /// Looks at the error only to pass it on.
  @inlinable static var passesOn: Traits { Traits(rawValue: 1 << 11) }
  /// Has a producer, and not a source.
  static var produced: Traits { Traits(rawValue: 1 << 12) }
  /// Has a note: `CoreNote`.
  static var checked: Traits { Traits(rawValue: 1 << 13) }
  /// May be rejected by somebody else than its source, as by a timeout.
  @inlinable static var endsFromOutside: Traits { Traits(rawValue: 1 << 15) }
  /// Somebody may want a note on it, and it has been made only just.
  @inlinable static var awaitsNote: Traits { Traits(rawValue: 1 << 16) }
  /// Made by the library for itself: no resolver of it is in the hands of a user, and a step like this is none of the
  /// user's who looks at an error.
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

  /// What is known of the types of a result.
  @inlinable
  static func ofResult<Value, Failure>(_: Value.Type, _: Failure.Type) -> Traits {
    var traits: Traits = []
    if CoreRef.isInline(Value.self), _isPOD(Value.self) { traits.insert(.trivialValue) }
    if CoreRef.isInline(Failure.self), _isPOD(Failure.self) { traits.insert(.trivialError) }
    return traits
  }

  /// Whether the result of a core in this state needs nothing done when it is destroyed. There is no result to destroy
  /// but a value and an error, so the bits of the two follow the order of ``Outcome``.
  @inline(__always)
  func isTrivial(_ state: StateWord) -> Bool {
    let all = rawValue | 1 << 10
    return state.bits & StateWord.resolvedBit == 0 || all >> (8 + UInt32(state.outcomeBits)) & 1 != 0
  }

  /// As `contains`, for one trait; also quick in code that is not optimised, where `contains` is not.
  func has(_ trait: Traits) -> Bool { rawValue & trait.rawValue != 0 }

  /// Whether the callback is to run for the outcome of a core in this state; not while it has none.
  func wantsOutcome(of state: StateWord) -> Bool {
    state.isResolved && rawValue & (1 << UInt32(state.outcomeBits)) != 0
  }
}
