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
    let place = Place(context)
    let handle = make(
      state: .empty(.pending), words: words, count: 2, traits: traits.on(context, place), place: place,
      operations: operations)
    if let gate {
      // Unsafe: nobody else has seen the core.
      unsafe handle.core.pointer.pointee.gate = gate
    }
    return handle
  }
}

extension Traits {
  /// These, of a step on a context.
  @inline(__always)
  fileprivate func on(_ context: PromiseContext, _ place: Place) -> Traits {
    var traits = self
    if case .nowOr = context { traits.insert(.nowOr) }
    if place.isOnMain { traits.insert(.onMain) }
    return traits
  }
}

// MARK: - Without a handle

extension CoreRef {
  /// Whether a step with these traits needs a handle for what is noted about its source.
  @usableFromInline
  func needsHandle(forStepWith traits: Traits) -> Bool { self.traits.has(.checked) && !traits.has(.library) }

  /// The words of a core before its payload.
  static var headerWords: Int { (MemoryLayout<CoreState>.size + 7) / 8 }

  /// A core that runs a step which only reports, and has no handle. Counted for being unresolved, and for the caller if `isKept`.
  /// The caller writes the callback into the payload, then registers it.
  @usableFromInline
  @inline(never)
  static func makeReporting(
    words: Int, traits: Traits, on context: PromiseContext, isKept: Bool, operations: consuming @escaping Operations
  ) -> CoreRef {
    // Unsafe: room for this, which nobody else has seen.
    let core = unsafe CoreRef(allocate(words: headerWords + words).assumingMemoryBound(to: CoreState.self))
    core.becomeReporting(traits, on: context, isKept: isKept, isInRow: false, operations: operations)
    return core
  }

  /// Becomes such a core. Nobody else has seen its memory.
  @inline(__always)
  func becomeReporting(
    _ traits: Traits, on context: PromiseContext, isKept: Bool, isInRow: Bool,
    operations: consuming @escaping Operations
  ) {
    let place = Place(context)
    var traits = traits.on(context, place)
    let operations = OperationsWord(operations, in: &traits)
    // Unsafe, to the end: room for this, which nobody else has seen.
    unsafe pointer.initialize(
      to: CoreState(
        state: .empty(.pending), count: isKept ? 2 : 1, traits: traits, place: place, operations: operations))
    unsafe pointer.pointee.rosters.store(
      RostersWord.bareBit | (isInRow ? RostersWord.rowBit : 0), ordering: .relaxed)
    // Nobody will ever have a handle. What is kept counts as one.
    if !isKept { unsafe pointer.pointee.votes.store(VoteWord.sealedBit, ordering: .relaxed) }
  }

  #if !EXPLORING
    /// Memory for cores without a handle; to be given to ``giveBack(_:)``.
    static func allocate(words: Int) -> UnsafeMutableRawPointer {
      // By `malloc`, because what Swift allocates with a known alignment takes the way of larger alignments, which is long.
      guard let memory = unsafe malloc(words * 8) else {
        preconditionFailure("no memory is left: malloc(\(words * 8)) gave nothing")
      }
      return unsafe memory
    }

    /// Frees memory of ``allocate(words:)``, when all that it contained has been destroyed.
    static func giveBack(_ memory: UnsafeMutableRawPointer) {
      // Unsafe: nobody holds anything in it any more.
      unsafe free(memory)
    }
  #else
    /// Memory that an explorer keeps to the end of an execution.
    private final class BareMemory: ManagedBuffer<Void, UInt64> {}

    static func allocate(words: Int) -> UnsafeMutableRawPointer {
      let memory = BareMemory.create(minimumCapacity: words) { _ in }
      Explorer.current?.keep(memory)
      // Unsafe: retained until `giveBack`.
      _ = unsafe Unmanaged.passRetained(memory)
      return unsafe memory.withUnsafeMutablePointerToElements { UnsafeMutableRawPointer($0) }
    }

    static func giveBack(_ memory: UnsafeMutableRawPointer) {
      // Unsafe: the elements of an object that `allocate` has retained.
      unsafe Unmanaged<BareMemory>.fromOpaque(memory - Int(PromiseObject.headerSize)).release()
    }
  #endif
}
