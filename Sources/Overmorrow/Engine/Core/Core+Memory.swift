internal import COvermorrowSystem

/// The user's handle on a promise: all copies of a promise share one, and its end is the seal.
///
/// Work that is pending, children and resolvers do not keep the handle: they hold a *count* on the core, which has memory of its
/// own and outlives the handle as long as there is a count.
@usableFromInline
struct PromiseHandle: @unchecked Sendable {
  // Sendable: an object without any state but its core, which may be used from any thread.
  @usableFromInline let object: PromiseObject

  init(_ object: PromiseObject) { self.object = object }

  /// The core; valid as long as a copy of this handle, or a count on the core.
  @inlinable
  var core: CoreRef { object.core }

  @usableFromInline
  static func === (left: PromiseHandle, right: PromiseHandle) -> Bool { left.object === right.object }

  @usableFromInline
  var identity: ObjectIdentifier { ObjectIdentifier(object) }
}

/// The object behind a handle. It has one of the counts on its core.
@usableFromInline
final class PromiseObject {
  @usableFromInline let core: CoreRef

  init(_ core: CoreRef) { self.core = core }

  deinit { core.handleDidEnd() }
}

/// A way back to a handle that does not keep it.
struct WeakHandle: @unchecked Sendable {
  // Sendable: the runtime makes reading a weak reference atomic, and it is never written again.
  private weak var object: PromiseObject?

  init(_ handle: PromiseHandle) { object = handle.object }

  var handle: PromiseHandle? { object.map { PromiseHandle($0) } }
}

// MARK: - Counts

extension CoreRef {
  /// One more holder; see ``Owned``.
  func retain() {
    // Relaxed: a new count is only made from one that is held.
    let old = fields.count.wrappingAdd(1, ordering: .relaxed).oldValue
    // Half of what the word can count: it stops here before it could wrap, however many threads come by at a time.
    precondition(old < 1 << 31, "a promise has more than two billion holders")
  }

  /// One more count, unless the last one is gone. The caller has the lock of the ties, for which the end of the core waits.
  func ownedIfAlive() -> Owned? {
    fields.count.change { $0 == 0 ? nil : ($0 + 1, ()) }.map { Owned(adopting: self) }
  }

  /// One holder less; the last one destroys the core (E5).
  func release() {
    if fields.count.wrappingSubtract(1, ordering: .acquiringAndReleasing).newValue == 0 { destroy() }
  }

  @inline(never)
  private func destroy() { destroyUnseen() }

  /// Destroys a core that nobody holds.
  @inline(__always)
  func destroyUnseen() {
    if traits.isTrivial(state) { destroyContents(isTrivial: true) } else { destroySlowly() }
  }

  /// The same, now or as soon as the destructions around this one are done.
  ///
  /// Destroying a result may end the last handle of another promise, whose result may hold another, and so on: a list of a million
  /// promises must not need a million stack frames.
  private func destroySlowly() {
    let thread = ThreadLocal.current
    guard thread.fields.disposals.enter(orPutOff: self) else { return }
    destroyContents(isTrivial: false)
    while let next = thread.fields.disposals.leave() { next.destroyContents(isTrivial: false) }
  }

  /// The last copy of the promise is gone: no waiter can be registered any more.
  fileprivate func handleDidEnd() {
    if !state.isResolved {
      let (votes, passesOn) = updateVotes { word in
        let sealed = word.sealing()
        return (sealed.word, sealed)
      }
      if passesOn { requestCancel() } else if votes.isForlorn { cancelForlorn() }
      if !passesOn { endUnseen() }
    }
    release()
  }
}

// MARK: - Memory

extension CoreRef {
  /// The words of a core before its payload.
  static var headerWords: Int { (MemoryLayout<CoreState>.size + 7) / 8 }

  /// Memory for a core whose payload has room for so many words; and the size class to give it back by.
  @inline(__always)
  static func allocate(payload words: Int) -> (memory: UnsafeMutableRawPointer, sizeClass: UInt32) {
    unsafe CoreMemory.allocate(bytes: (headerWords + words) * 8)
  }

  /// Destroys what the payload holds, then the header, then gives the memory back. Called once, by the last holder (E5).
  @inline(__always)
  private func destroyContents(isTrivial: Bool) {
    if !isTrivial { destroyPayload() }
    endOperations()
    if link.isTied { endTies() }
    let sizeClass = traits.sizeClass
    // Unsafe: the header was initialised when the core was made; no thread has a count on it any more, nor finds it by its ties.
    unsafe pointer.deinitialize(count: 1)
    unsafe CoreMemory.free(pointer, sizeClass)
  }

  @inline(never)
  private func destroyPayload() {
    _ = perform(outcome == .value ? .destroyValue : .destroyError, nil)
  }
}
