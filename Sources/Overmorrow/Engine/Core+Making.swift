internal import Synchronization

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// How cores come to be, each with its first counts.
extension PromiseHandle {
  /// A core that is resolved from the start. The caller offers it a note, and writes the payload, before anybody else sees
  /// the handle.
  @usableFromInline
  static func makeResolved(
    _ outcome: Outcome, words: Int, traits: Traits, operations: consuming @escaping Operations
  ) -> PromiseHandle {
    let handle = make(
      state: .closed(outcome), words: words, count: 1, traits: traits, place: .immediate, operations: operations)
    if Attention.isAny { handle.awaitNote() }
    return handle
  }

  /// A core that a producer will resolve, and has claimed: counted for the handle, and for the producer. The caller offers
  /// it a note before anybody else sees it.
  @usableFromInline
  static func makeWithProducer(
    words: Int, traits: Traits, operations: consuming @escaping Operations
  ) -> (PromiseHandle, Producer) {
    let handle = make(
      state: .empty(.claimed), words: words, count: 2, traits: traits.union([.takesPart, .hasHandlers, .produced]),
      place: .immediate,
      operations: operations)
    if Attention.isAny {
      handle.awaitNote()
      return (handle, WatchedProducer(handle.core))
    }
    return (handle, Producer(handle.core))
  }

  /// A core that runs a step: counted for the handle, and for being unresolved. The caller writes the callback into
  /// the payload, then registers it.
  @usableFromInline
  static func makeStep(
    words: Int, traits: Traits, on context: PromiseContext, gate: Gate?, operations: consuming @escaping Operations
  ) -> PromiseHandle {
    var traits = traits
    if case .nowOr = context { traits.insert(.nowOr) }
    let handle = make(
      state: .empty(.pending), words: words, count: 2, traits: traits, place: Place(context), operations: operations)
    if let gate {
      // Unsafe: nobody else has seen the core.
      unsafe handle.core.pointer.pointee.gate = gate
    }
    return handle
  }
}

// MARK: - Without a handle

extension CoreRef {
  /// Whether a step with these traits needs a handle for what is noted about its source.
  @usableFromInline
  func needsHandle(forStepWith traits: Traits) -> Bool { self.traits.has(.checked) && !traits.has(.library) }

  /// A core that runs a step which only reports, and has no handle. Counted for being unresolved, and for the caller if `isKept`.
  /// The caller writes the callback into the payload, then registers it.
  @usableFromInline
  @inline(never)
  static func makeReporting(
    words: Int, traits: Traits, on context: PromiseContext, isKept: Bool, operations: consuming @escaping Operations
  ) -> CoreRef {
    var traits = traits
    if case .nowOr = context { traits.insert(.nowOr) }
    let operations = OperationsWord(operations, in: &traits)
    let core = allocate(words: (MemoryLayout<CoreState>.size + 7) / 8 + words)
    // Unsafe, to the end: room for this, which nobody else has seen.
    unsafe core.pointer.initialize(
      to: CoreState(
        state: .empty(.pending), count: isKept ? 2 : 1, traits: traits, place: Place(context), operations: operations))
    unsafe core.pointer.pointee.rosters.store(RostersWord.bareBit, ordering: .relaxed)
    // Nobody will ever have a handle. What is kept counts as one.
    if !isKept { unsafe core.pointer.pointee.votes.store(VoteWord.sealedBit, ordering: .relaxed) }
    return core
  }

  #if !EXPLORING
    /// Memory for a core without a handle.
    private static func allocate(words: Int) -> CoreRef {
      // Unsafe: nobody else has seen it, and `freeMemory` gives it back. By `malloc`, because what Swift allocates with a known
      // alignment takes the way of larger alignments, which is long.
      guard let memory = unsafe malloc(words * 8) else {
        preconditionFailure("no memory is left: malloc(\(words * 8)) gave nothing")
      }
      return unsafe CoreRef(memory.assumingMemoryBound(to: CoreState.self))
    }

    /// Frees the memory of a core without a handle, when its contents have been destroyed.
    func freeMemory() {
      // Unsafe: it is of `allocate`, and nobody holds the core any more.
      unsafe free(pointer)
    }
  #else
    /// Memory that an explorer keeps to the end of an execution.
    private final class BareMemory: ManagedBuffer<Void, UInt64> {}

    private static func allocate(words: Int) -> CoreRef {
      let memory = BareMemory.create(minimumCapacity: words) { _ in }
      Explorer.current?.keep(memory)
      // Unsafe: retained until `freeMemory`.
      _ = unsafe Unmanaged.passRetained(memory)
      return unsafe memory.withUnsafeMutablePointerToElements {
        unsafe CoreRef(UnsafeMutableRawPointer($0).assumingMemoryBound(to: CoreState.self))
      }
    }

    func freeMemory() {
      // Unsafe: the elements of an object that `allocate` has retained.
      unsafe Unmanaged<BareMemory>.fromOpaque(UnsafeRawPointer(pointer) - Int(PromiseObject.headerSize)).release()
    }
  #endif
}
