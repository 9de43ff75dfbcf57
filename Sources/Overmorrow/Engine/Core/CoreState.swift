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
  /// What the core waits for, whether a request has been made, and the way to its `SideTable`: `LinkWord`.
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
  @usableFromInline
  let watch: CoreWatch

  init(state: StateWord, count: UInt32, traits: Traits, place: Place, operations: OperationsWord) {
    self.state = Atomic(state.bits)
    self.link = Atomic(LinkWord.none.bits)
    self.votes = Atomic(0)
    self.count = Atomic(count)
    self.traits = Watched(traits)
    self.place = Atomic(place.bits)
    self.operations = Watched(operations)
    watch = CoreWatch(
      state: self.state, link: link, votes: votes, count: self.count, place: self.place, rank: rank)
  }
}
