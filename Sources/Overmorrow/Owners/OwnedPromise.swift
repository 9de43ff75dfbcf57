/// A chain that goes on only as long as somebody holds its end.
///
/// Made by ``Promise/owned()``. Ownership runs upstream: each link keeps the links before it, and nothing keeps a link
/// but those that come after it, and whoever holds a copy. When the last copy of a link goes, its callback does not run
/// any more, and what it waits for is asked to cancel, as by one child.
///
/// ```swift
/// final class Profile {
///   private var loading: OwnedPromise<Void, any Error>?
///
///   func load() {
///     loading = fetchUser().owned().map(on: .utility) { try decode($0) }.map(at: .here) { show($0) }
///   }
/// }
/// ```
///
/// Here the end of the profile, or another `load()`, ends what is being loaded. **Store the end of the chain**: a chain
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

  private func step<U, E>(
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

// MARK: - Chains that adopt chains

extension OwnedPromise {
  /// A chain that adopts the owned chain that a closure makes of the value, and owns it until that has resolved.
  ///
  /// In all else as ``Promise/flatMap(on:token:_:)``.
  ///
  /// - Parameters:
  ///   - context: Where `transform` runs.
  ///   - transform: Called with the value.
  public func flatMapOwned<U: Sendable>(
    on context: PromiseContext, _ transform: @escaping @Sendable (Value) -> OwnedPromise<U, Failure>
  ) -> OwnedPromise<U, Failure> {
    adopting { promise, token, own in promise.flatMap(on: context, token: token) { own(transform($0)) } }
  }

  /// A chain that adopts the owned chain that a closure makes of the result, and owns it until that has resolved.
  ///
  /// In all else as ``Promise/flatMapResult(on:token:_:)``.
  ///
  /// - Parameters:
  ///   - context: Where `transform` runs.
  ///   - transform: Called with the result.
  public func flatMapResultOwned<U: Sendable, E: Sendable>(
    on context: PromiseContext,
    _ transform: @escaping @Sendable (PromiseResult<Value, Failure>) -> OwnedPromise<U, E>
  ) -> OwnedPromise<U, E> {
    adopting { promise, token, own in promise.flatMapResult(on: context, token: token) { own(transform($0)) } }
  }

  /// The next link; `own` makes it the owner of the chain that its callback returns.
  private func adopting<U, E>(
    _ register: (
      Promise<Value, Failure>, PromiseInvalidationToken,
      _ own: @escaping @Sendable (OwnedPromise<U, E>) -> Promise<U, E>
    ) -> Promise<U, E>
  ) -> OwnedPromise<U, E> {
    let ownership = Ownership(upstream: ownership)
    return step(owning: ownership) { promise, token in
      register(promise, token) { [weak ownership] chain in
        // Without this link, the chain ends right here, and is cancelled.
        ownership?.adopt(chain.ownership)
        _ = chain.inner.tap(on: .immediate) { [weak ownership] _ in ownership?.adopt(nil) }
        return chain.inner
      }
    }
  }
}
