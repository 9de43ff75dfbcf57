/// A core: the state that the copies of one promise share, whatever its types. A fixed header is directly followed by
/// the payload.
///
/// ```
///  ┌───────────────────────────────────────────────┬──────────────────────────────┐
///  │ CoreState (this)                              │ payload                      │
///  │                                               │ the callback, then the result│
///  └───────────────────────────────────────────────┴──────────────────────────────┘
/// ```
///
/// The core knows no value type. What depends on types is done by `operations`, a function in one word
/// (`OperationsWord`) that the typed layer supplies (`StepOperations`, `RootOperations`). The payload first holds the
/// callback of a step, which is taken out when the step runs, and then the result.
///
/// A child's core is its own node in the parent's list, linked by `next`. Waiting allocates nothing.
@usableFromInline
struct CoreState: ~Copyable {
  /// Phase and waiters: `StateWord`.
  let state: Atomic<UInt>
  /// What the core waits for, whether a request was made, and the address of its `SideTable`: `LinkWord`.
  let link: Atomic<UInt>
  /// Votes and seal: `VoteWord`.
  let votes: Atomic<UInt32>
  /// The number of counts: one for the handle, one while the core is unresolved or undrained (the pending count), one
  /// for each child's link, one for each child that was handed to a context, and one for each producer. The release of
  /// the last one destroys the payload and frees the memory.
  let count: Atomic<UInt32>
  /// The next step in the list that this one is in: its source's waiters, then the ready steps of a pass. A step is in
  /// one list at a time. This link does not change if the step is resolved from elsewhere while it is in a list.
  var next = Watched<CoreRef?>(nil)
  /// What the pass that drains this core continues with: the bits of a link in the drain stack.
  var following = Watched<UInt>(0)
  /// For a step that was handed to a context, the core whose result it will read, counted. Before that, a link of the
  /// drain stack that the step is in, not counted.
  var source = Watched<CoreRef?>(nil)
  /// The `Place` on which the step runs. Only the owner of the step reads and changes it. It is atomic because blocking
  /// waits compare it with the places that their threads occupy.
  let place: Atomic<UInt>
  /// What the step wants, and how it votes. Never changes after the core is shared.
  @usableFromInline
  var traits: Watched<Traits>
  /// A number lower than the ranks of all cores that this core waits for: `Rank`.
  let rank = Atomic<Int32>(0)
  /// The function that does what depends on types. If the core has a note, the function is wrapped before the core is
  /// shared.
  var operations: Watched<OperationsWord>
  /// Empty, except in an exploring build.
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
