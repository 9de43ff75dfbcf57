/// The user's handle on a promise: all copies of a promise share one, and its end is the seal.
///
/// Work that is pending, children and resolvers do not keep the handle: they hold a *count* on the core inside. The
/// memory must therefore outlive the handle. The runtime offers that: an `unowned` reference keeps the memory of an
/// object whose `deinit` has run. A handle that ends while somebody holds a count leaves one such reference in its own
/// core (`MemoryHold`), and the last count takes it out. So a promise needs one allocation, and its end needs neither a
/// lock nor a second object.
@usableFromInline
struct PromiseHandle: @unchecked Sendable {
  // Sendable: an object without any state but its core, which may be used from any thread.
  @usableFromInline let object: PromiseObject

  init(_ object: PromiseObject) { self.object = object }

  /// The core inside; valid as long as a copy of this handle, or a count on the core.
  @inlinable
  var core: CoreRef { object.core }

  @usableFromInline
  static func === (left: PromiseHandle, right: PromiseHandle) -> Bool { left.object === right.object }

  @usableFromInline
  var identity: ObjectIdentifier { ObjectIdentifier(object) }

  /// A handle with a core whose payload has room for so many words. Not inlined, so that it never lives on the stack.
  @inline(never)
  static func make(
    state: StateWord, words: Int, count: UInt32, traits: Traits, place: Place,
    operations: consuming @escaping Operations
  ) -> PromiseHandle {
    var traits = traits
    // First: with a call between them, the new object would be counted once more.
    let operations = OperationsWord(operations, in: &traits)
    let buffer = PromiseObject.create(minimumCapacity: CoreRef.headerWords + words) { _ in }
    // Unsafe: `create` was called on this class, so the buffer is one of it; its elements are uninitialised room for it.
    let object = unsafe unsafeDowncast(buffer, to: PromiseObject.self)
    #if EXPLORING
      Explorer.current?.keep(object)
    #endif
    unsafe object.core.pointer.initialize(
      to: CoreState(state: state, count: count, traits: traits, place: place, operations: operations))
    return PromiseHandle(object)
  }
}

/// The one allocation of a promise. `ManagedBuffer` gives the tail memory whose address never changes; its elements are
/// words, so that the state is aligned to eight bytes, and to sixteen with every allocator in use.
@usableFromInline
final class PromiseObject: ManagedBuffer<Void, UInt64> {
  deinit { core.handleDidEnd(self) }

  /// How far behind the object's address its core is: an object begins with two words of the runtime's.
  static var headerSize: UInt { 2 * UInt(MemoryLayout<UInt>.size) }

  @inlinable
  var core: CoreRef {
    // Unsafe: `make` has put a `CoreState` at the start of the elements, and nothing moves it.
    unsafe withUnsafeMutablePointerToElements {
      unsafe CoreRef(UnsafeMutableRawPointer($0).assumingMemoryBound(to: CoreState.self))
    }
  }
}

/// Keeps the memory of a handle that may have ended, and nothing else of it: no use of `handle` is ever made.
struct MemoryHold: @unchecked Sendable {
  // Sendable: the runtime counts unowned references atomically, and nothing else is done with it.
  private unowned let object: PromiseObject

  init(_ object: PromiseObject) { self.object = object }

  init(_ handle: PromiseHandle) { object = handle.object }
}

/// A way back to a handle that does not keep it.
struct WeakHandle: @unchecked Sendable {
  // Sendable: the runtime makes reading a weak reference atomic, and it is never written again.
  private weak var object: PromiseObject?

  init(_ handle: PromiseHandle) { object = handle.object }

  var handle: PromiseHandle? { object.map { PromiseHandle($0) } }
}

extension CoreRef {
  /// One more holder. The caller holds a count, or has the handle.
  @usableFromInline
  func retain() {
    // Unsafe: the caller's count keeps the memory. Relaxed: a new count is only made from one that is held.
    let old = unsafe pointer.pointee.count.wrappingAdd(1, ordering: .relaxed).oldValue
    // Half of what the word can count: it stops here before it could wrap, however many threads come by at a time.
    precondition(old < 1 << 31, "a promise has more than two billion holders")
  }

  /// One more holder, unless the last one is gone. The caller keeps the memory.
  func retainIfAlive() -> Bool {
    // Unsafe: the caller has a `MemoryHold`.
    var old = unsafe pointer.pointee.count.load(ordering: .relaxed)
    while old != 0 {
      let (exchanged, current) = unsafe pointer.pointee.count.weakCompareExchange(
        expected: old, desired: old + 1, successOrdering: .acquiring, failureOrdering: .relaxed)
      if exchanged { return true }
      old = current
    }
    return false
  }

  /// One holder less; the last one destroys the payload and lets the memory go.
  @usableFromInline
  func release() {
    // E5. Unsafe: the caller's count keeps the memory until this instruction.
    if unsafe pointer.pointee.count.wrappingSubtract(1, ordering: .acquiringAndReleasing).newValue == 0 { destroy() }
  }

  @inline(never)
  private func destroy() { Disposal.destroy(self) }

  /// The last copy of the promise is gone: nobody can register any more.
  fileprivate func handleDidEnd(_ object: PromiseObject) {
    if state.isResolved {
      if dropOnlyCount() { return Disposal.destroy(self, in: object) }
      keepMemory(of: object)
    } else {
      keepMemory(of: object)
      let (votes, passesOn) = updateVotes { word in
        let sealed = word.sealing()
        return (sealed.word, sealed)
      }
      if passesOn { requestCancel() } else if votes.isForlorn { cancelForlorn() }
      if state.isHeld { Suspensions.handleDidEnd(of: self) }
      // Last: it does not end while it is suspended.
      if !passesOn { endUnseen() }
    }
    release()
  }

  /// Keeps the memory beyond the end of the object that it belongs to, until the last count is gone.
  func keepMemory(of object: PromiseObject) {
    // Unsafe: the object is in its `deinit`, so its memory is there. The hold is one reference, which is the object's address: it
    // is made here, and `letGo` makes the same bits of it again.
    unsafe withUnsafeTemporaryAllocation(of: MemoryHold.self, capacity: 1) {
      unsafe $0.baseAddress.unsafelyUnwrapped.initialize(to: MemoryHold(object))
    }
    // Relaxed: nobody looks at this bit before the last count is gone (E5). Nobody can add a roster any more; who resolves
    // the promise only reads them.
    let word = unsafe pointer.pointee.rosters.load(ordering: .relaxed)
    unsafe pointer.pointee.rosters.store(word | RostersWord.holdsBit, ordering: .relaxed)
  }

  /// Drops the caller's count if it is the only one; then there is nobody to tell and no memory to keep (E5).
  private func dropOnlyCount() -> Bool {
    // Acquiring only: nobody is left to see what the caller has done. Unsafe: the caller's count keeps the memory.
    unsafe pointer.pointee.count.load(ordering: .relaxed) == 1
      && pointer.pointee.count.compareExchange(
        expected: 1, desired: 0, successOrdering: .acquiring, failureOrdering: .relaxed
      ).exchanged
  }

  /// Whether there is nothing to do for the payload when it is destroyed. The caller is the last holder.
  @inline(__always)
  var isTrivial: Bool { traits.isTrivial(state) }

  /// Destroys what the payload holds, then the header, then lets the memory go. Called once, by the last holder (E5).
  @inline(__always)
  func destroyContents(isTrivial: Bool) {
    // Unsafe: the header was initialised by `make`, and is not used again, but for its count, which stays zero.
    let rosters = unsafe RostersWord(bits: pointer.pointee.rosters.load(ordering: .relaxed))
    if !isTrivial { destroyPayload() }
    endOperations()
    unsafe pointer.deinitialize(count: 1)
    if rosters.bits != 0 { letGo(of: rosters) }
  }

  /// Lets the rosters go, and the memory if it is kept. Nothing else of the core is left.
  @inline(never)
  private func letGo(of rosters: RostersWord) {
    if rosters.isBare {
      if rosters.isInRow { return StepRow.didEnd(self) }
      // Unsafe: the memory is of `allocate`, and nobody holds the core any more.
      return unsafe CoreRef.giveBack(pointer)
    }
    if rosters.address != 0 { rosters.discard() }
    guard rosters.holds else { return }
    var bits = address &- PromiseObject.headerSize
    // Unsafe: `keepMemory` has made a hold of these bits, and nobody else takes it.
    unsafe withUnsafeMutableBytes(of: &bits) {
      _ = unsafe $0.baseAddress.unsafelyUnwrapped.assumingMemoryBound(to: MemoryHold.self).move()
    }
  }

  @inline(never)
  private func destroyPayload() {
    _ = perform(outcome == .value ? .destroyValue : .destroyError, nil)
  }
}
