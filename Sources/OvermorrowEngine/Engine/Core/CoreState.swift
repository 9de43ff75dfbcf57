/// A core: the state that the copies of one promise share, whatever the types of the promise. A fixed header is
/// directly followed by the payload.
///
/// ```
///  ┌───────────────────────────────────────────────┬──────────────────────────────┐
///  │ CoreState (this)                              │ payload                      │
///  │                                               │ the callback, then the result│
///  └───────────────────────────────────────────────┴──────────────────────────────┘
/// ```
///
/// The core knows no value type. The function in `operations` does what depends on types. The typed layer supplies this
/// function (`StepOperations`, `RootOperations`). The core stores the function in one word (`OperationsWord`). The
/// payload of a step first contains the callback. When the step runs, the callback is taken out. Afterwards, the
/// payload contains the result.
///
/// The core of a child is itself a node in the list of the parent. The nodes are linked by `next`, so waiting allocates
/// nothing.
///
/// `Debugger/overmorrow_scan.py` recognises a core by these words, its traits and its side table. If one of them
/// changes, the script and `OVERMORROW_CORES_VERSION` change, too.
@usableFromInline
package struct CoreState: ~Copyable {
  /// Phase and waiters: `StateWord`.
  let state: Atomic<UInt>
  /// What the core waits for, whether a request was made, and the address of its `SideTable`: `LinkWord`.
  let link: Atomic<UInt>
  /// Votes and seal: `VoteWord`.
  let votes: Atomic<UInt32>
  /// The number of counts: one for the handle, one while the core is unresolved or undrained (the pending count), one
  /// for each child's link, one for each child that was handed to a context, and temporary ones. A resolver object has
  /// the pending count until the resolver object gives the claim away. If the core then adopts, the resolver object
  /// keeps a count of its own. The release of the last count destroys the payload and frees the memory.
  let count: Atomic<UInt32>
  /// The next step in the list that contains this step. That list is first the waiters of the source, and then the
  /// ready steps of a pass. A step is in one list at a time. If code other than the owner of the list resolves the
  /// step, this link stays unchanged.
  var next = Watched<CoreRef?>(nil)
  /// The bits of a link in the drain stack. The pass that drains this core continues with that link.
  var following = Watched<UInt>(0)
  /// One word for two uses that exclude each other. In a step that was handed to a context or deferred, it is the core
  /// whose result the step will read, with a count (`Waiter.keepSource`). In a waiter that a pass has still to serve,
  /// it is `belowInDrainStack`.
  var sourceOrBelow = Watched<CoreRef?>(nil)
  /// The `Place` on which the callback of a step, or the body of a promise, waits to run. The core owns it until the
  /// callback or the body begins or is dropped. Only the owner of the step, or the thread that runs the body, uses and
  /// changes it. The word is atomic because a blocking wait and the report of an unserved main queue compare it.
  let place: Atomic<UInt>
  /// In the lower half, the traits: the results that the step wants, and its way of voting. In the upper half, the
  /// number of the core's record, or zero. One word for both costs no instruction to initialise. The word never changes
  /// after the core is shared.
  @usableFromInline
  var traitsAndRecord: Watched<UInt64>
  /// The function that does what depends on types. Before a core with a note is shared, a closure that calls the note
  /// replaces this function.
  var operations: Watched<OperationsWord>
  /// Empty, except in an exploring build.
  @usableFromInline
  let watch: CoreWatch

  init(state: StateWord, count: UInt32, traits: Traits, place: Place, operations: OperationsWord) {
    self.state = Atomic(state.bits)
    self.link = Atomic(LinkWord.none.bits)
    self.votes = Atomic(0)
    self.count = Atomic(count)
    self.traitsAndRecord = Watched(UInt64(traits.rawValue))
    self.place = Atomic(place.bits)
    self.operations = Watched(operations)
    watch = CoreWatch(state: self.state, link: link, votes: votes, count: self.count, place: self.place)
  }

  @inlinable
  var traits: Traits {
    @inline(__always) get { Traits(rawValue: UInt32(truncatingIfNeeded: traitsAndRecord.value)) }
    @inline(__always) set { traitsAndRecord.value = (traitsAndRecord.value >> 32) << 32 | UInt64(newValue.rawValue) }
  }

  /// The number of the core's record, or zero.
  var record: UInt32 { UInt32(truncatingIfNeeded: traitsAndRecord.value >> 32) }
}
