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

extension CoreRef {
  /// The last copy of the promise is gone: no waiter can be registered any more.
  fileprivate func handleDidEnd() {
    if !state.isResolved {
      let (votes, passesOn) = updateVotes { word in
        let sealed = word.sealing()
        return (sealed.word, sealed)
      }
      if passesOn { requestCancel() } else if votes.canNeverBeAsked { cancelIfClaimIsKept() }
      if !passesOn { endIfUnobserved() }
    }
    release()
  }
}
