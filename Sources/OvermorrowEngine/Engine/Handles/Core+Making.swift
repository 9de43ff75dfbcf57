/// Makes cores, each with its first counts.
extension PromiseHandle {
  /// Makes a core that is resolved from the start. Before the caller shares the handle, it offers the core a note and
  /// writes the payload.
  @usableFromInline
  static func makeResolved(
    _ outcome: Outcome, words: Int, traits: Traits, operations: consuming @escaping Operations
  ) -> PromiseHandle {
    let core = CoreState.make(
      state: .closed(outcome), words: words, count: 1, traits: traits, place: .immediate, operations: operations)
    let handle = PromiseHandle(PromiseObject(core))
    if DiagnosticsSwitch.isOn { handle.awaitNote() }
    return handle
  }

  /// Makes a core that a resolver object has claimed and will resolve. The core has one count for the handle and one
  /// for the resolver object. Before the caller shares the handle, it offers the core a note.
  @usableFromInline
  static func makeWithResolver(
    words: Int, traits: Traits, operations: consuming @escaping Operations
  ) -> (PromiseHandle, ResolverClaim) {
    let core = CoreState.make(
      state: .empty(.claimed), words: words, count: 2, traits: traits.union([.takesPart, .hasHandlers, .hasResolver]),
      place: .immediate, operations: operations)
    let handle = PromiseHandle(PromiseObject(core))
    // Unsafe: the second count of the new core.
    let count = unsafe Owned(taking: core)
    if DiagnosticsSwitch.isOn {
      handle.awaitNote()
      if DiagnosticsSwitch.makesNotes { return (handle, WatchedResolverObject(count)) }
    }
    return (handle, ResolverObject(count))
  }

  /// Makes a core that runs a step. The core owns the place. It has a count for the handle, and the pending count. The
  /// caller writes the callback into the payload, and then registers the core.
  @inline(__always)
  package static func makeStep(
    words: Int, traits: Traits, at place: Place, operations: consuming @escaping Operations
  ) -> PromiseHandle {
    PromiseHandle(
      PromiseObject(CoreState.makeStep(words: words, traits: traits, at: place, count: 2, operations: operations)))
  }

  @usableFromInline
  package static func makeImmediateStep(
    words: Int, traits: Traits, operations: consuming @escaping Operations
  ) -> PromiseHandle {
    makeStep(words: words, traits: traits, at: .immediate, operations: operations)
  }
}

extension CoreState {
  /// Makes a core that runs a step and has no handle. The core owns the place. It has the pending count, and is sealed.
  /// The caller writes the callback into the payload, and then registers the core.
  @inline(__always)
  package static func makeSealed(
    words: Int, traits: Traits, at place: Place, operations: consuming @escaping Operations
  ) -> CoreRef {
    let core = makeStep(words: words, traits: traits, at: place, count: 1, operations: operations)
    // Relaxed: published with the step (E2).
    core.fields.votes.store(VoteWord.sealedBit, ordering: .relaxed)
    return core
  }

  /// Makes a core that runs an immediate step and has no handle.
  @usableFromInline
  @inline(never)
  package static func makeImmediateSealed(
    words: Int, traits: Traits, operations: consuming @escaping Operations
  ) -> CoreRef {
    makeSealed(words: words, traits: traits, at: .immediate, operations: operations)
  }

  /// Makes a core that runs an immediate step and has no handle. The core has the pending count, and a count for the
  /// caller, which writes the callback into the payload, and then registers the core.
  @usableFromInline
  @inline(never)
  static func makeKept(words: Int, traits: Traits, operations: consuming @escaping Operations) -> Owned {
    // Unsafe: the second count of the new core.
    unsafe Owned(taking: makeStep(words: words, traits: traits, at: .immediate, count: 2, operations: operations))
  }

  @inline(__always)
  fileprivate static func makeStep(
    words: Int, traits: Traits, at place: Place, count: UInt32, operations: consuming @escaping Operations
  ) -> CoreRef {
    make(
      state: .empty(.pending), words: words, count: count,
      traits: place.isOnMain ? traits.union(.onMain) : traits, place: place, operations: operations)
  }

  @inline(__always)
  fileprivate static func make(
    state: StateWord, words: Int, count: UInt32, traits: Traits, place: Place,
    operations: consuming @escaping Operations
  ) -> CoreRef {
    var traits = traits
    let operations = OperationsWord(operations, in: &traits)
    // The size class is needed to free the memory.
    let (memory, sizeClass) = unsafe CoreMemory.allocate(bytes: ((MemoryLayout<CoreState>.size + 7) / 8 + words) * 8)
    // Unsafe: the memory has the size of a core with this payload, and is not shared yet.
    let core = unsafe CoreRef(memory.assumingMemoryBound(to: CoreState.self))
    unsafe core.pointer.initialize(
      to: CoreState(
        state: state, count: count, traits: traits.with(sizeClass: sizeClass), place: place, operations: operations))
    return core
  }
}

extension PromiseHandle {
  /// Whether the caller, which has made the core, must offer the core a note. The check takes two instructions.
  @inlinable
  @inline(__always)
  package var awaitsNote: Bool {
    // Unsafe: this handle keeps the core.
    unsafe core.pointer.pointee.traits.contains(.awaitsNote)
  }

  /// Whether the core, which awaits a note, needs only a record.
  @inlinable
  @inline(__always)
  package var awaitsOnlyRecord: Bool {
    // Unsafe: this handle keeps the core.
    unsafe core.pointer.pointee.traits.contains(.recorded)
  }

  @inline(never)
  func awaitNote() {
    // Unsafe: the core is not shared yet.
    unsafe core.pointer.pointee.traits.formUnion(
      DiagnosticsSwitch.makesNotes ? .awaitsNote : [.awaitsNote, .recorded])
  }
}
