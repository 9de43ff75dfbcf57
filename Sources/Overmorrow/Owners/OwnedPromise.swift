/// A chain that goes on only as long as somebody holds its end.
///
/// Made by ``Promise/owned()``. Ownership runs upstream: each link keeps the links before it, and nothing keeps a link
/// but those that come after it, and whoever holds a copy. When the last copy of a link goes, its callback does not run
/// any more, and what it waits for is asked to cancel, as by one child.
///
/// ```swift
/// @MainActor
/// final class Search {
///   private var running: OwnedPromise<[String], any Error>?
///
///   func search(_ text: String) {
///     running = fetchHits(text).owned()
///       .map(on: .utility) { $0.sorted() }
///       .then(on: .main) { show($0) }
///   }
/// }
/// ```
///
/// Here another search, or the end of the object, ends what is being searched. **Store the end of the chain**: a chain
/// whose result is not used ends at once.
///
/// A callback that has started finishes. A chain whose callback uses what holds the end of the chain keeps itself until
/// it has resolved; capture that weakly.
public struct OwnedPromise<Value: Sendable, Failure: Sendable>: Sendable {
  /// The promise at this point of the chain. Holding it does not own the chain: it is cancelled with it.
  public let inner: Promise<Value, Failure>
  let ownership: Ownership

  /// The result, or `nil` while the promise is unresolved.
  public var result: PromiseResult<Value, Failure>? { inner.result }

  /// Asks the promise at this point to cancel. See ``Promise/requestCancel()``.
  public func requestCancel() { inner.requestCancel() }

  /// The next link, whose callback is suppressed by the token that the closure is given.
  func step<U, E>(
    _ register: (Promise<Value, Failure>, PromiseInvalidationToken) -> Promise<U, E>
  ) -> OwnedPromise<U, E> {
    step(owning: Ownership(upstream: ownership), register)
  }

  /// The same, for a link whose ownership the caller has made.
  func step<U, E>(
    owning ownership: Ownership, _ register: (Promise<Value, Failure>, PromiseInvalidationToken) -> Promise<U, E>
  ) -> OwnedPromise<U, E> {
    OwnedPromise<U, E>(promise: register(inner, ownership.token), ownership: ownership)
  }

  fileprivate init(promise: Promise<Value, Failure>, ownership: Ownership) {
    inner = promise
    self.ownership = ownership
    ownership.token.requestCancelOnInvalidate(promise)
  }
}

extension OwnedPromise: Hashable {
  /// Whether both are copies of one link.
  public static func == (left: OwnedPromise, right: OwnedPromise) -> Bool { left.inner == right.inner }

  /// Hashes the identity of the link.
  public func hash(into hasher: inout Hasher) { hasher.combine(inner) }
}

extension Promise {
  /// A chain that starts here and goes on only as long as somebody holds its end.
  ///
  /// Its end withdraws one vote from this promise, so that other observers of this promise are left alone.
  ///
  /// - Fulfils, fails, cancels: as this promise, without a hop; cancels, too, when its last copy goes.
  public func owned() -> OwnedPromise<Value, Failure> {
    OwnedPromise(promise: makeChild(), ownership: Ownership(upstream: nil))
  }
}
