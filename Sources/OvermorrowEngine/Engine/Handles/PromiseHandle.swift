/// The handle of a promise. All copies of the promise share one handle. The end of the handle seals the core.
///
/// Pending work, children and resolvers do not keep the handle. They have a *count* on the core. The core has its own
/// memory, and exists as long as there is a count.
@usableFromInline
package struct PromiseHandle: @unchecked Sendable {
  // Sendable: an object whose only state is its core, which may be used from any thread.
  @usableFromInline package let object: PromiseObject

  @usableFromInline
  package init(_ object: PromiseObject) { self.object = object }

  /// The core. The core is valid while there is a copy of this handle or a count on the core.
  @inlinable
  package var core: CoreRef { object.core }

  @usableFromInline
  package static func === (left: PromiseHandle, right: PromiseHandle) -> Bool { left.object === right.object }

  @usableFromInline
  package var identity: ObjectIdentifier { ObjectIdentifier(object) }
}

/// The object behind a handle. It has one of the counts on its core.
@usableFromInline
package final class PromiseObject {
  @usableFromInline let core: CoreRef

  init(_ core: CoreRef) { self.core = core }

  deinit { core.handleDidEnd() }
}

package struct WeakHandle: @unchecked Sendable {
  // Sendable: the runtime reads a weak reference atomically, and this reference is never written again.
  private weak var object: PromiseObject?

  package init(_ handle: PromiseHandle) { object = handle.object }

  package var handle: PromiseHandle? { object.map { PromiseHandle($0) } }
}

extension CoreRef {
  /// Seals the core after the release of the promise's last copy, because no further waiter can then be registered.
  fileprivate func handleDidEnd() {
    if !state.isResolved {
      let (requestGoesUp, keepsResolver) = updateVotes {
        let (word, requestGoesUp) = $0.sealing()
        return (word, (requestGoesUp, word.keepsResolver))
      }
      if requestGoesUp { requestCancel() } else { endIfUnobserved() }
      if keepsResolver { releaseKeptResolver() }
    }
    // Unsafe: the count of the object that ends.
    unsafe release()
  }
}
