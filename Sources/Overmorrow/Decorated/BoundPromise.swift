/// A chain whose callbacks belong to an owner, an object that the chain does not retain.
///
/// ``Promise/bound(to:defaultContext:)`` creates it. Each callback receives the owner as its first argument and retains
/// it while it runs, so `[weak self]` and its guards are not needed:
///
/// ```swift
/// @MainActor
/// final class ProfileView {
///   var title = "…"
///
///   func load() {
///     fetchUser()
///       .bound(to: self)
///       .map(on: .utility) { _, user in user.name.uppercased() }
///       .then { view, name in view.title = name }
///       .catch { view, error in view.title = "\(error)" }
///   }
/// }
/// ```
///
/// If the owner no longer exists, a callback does not run. Its promise is rejected with
/// ``PromiseError/ownerDeallocated`` if that is a `Failure`, as it is for `any Error`, and cancelled otherwise. If the
/// source is cancelled, the promise is cancelled as well. A step whose callback is not meant for the result passes the
/// result on.
///
/// A callback without a context runs on the actor that it is isolated to, in the example on the main actor. If it is
/// isolated to no actor, it runs on the default context of the chain.
///
/// Tokens act as in a ``TokenPromise``. Tokens and an owner can be combined in any order:
///
/// ```swift
/// fetchPage()
///   .withToken(token)
///   .bound(to: self)
///   .timeout(.seconds(10))
///   .then { view, page in view.show(page) }
/// ```
///
/// Where a plain promise is needed, such as an input of `when`, use ``inner``.
public struct BoundPromise<Owner: AnyObject & Sendable, Value: Sendable, Failure: Sendable>: Sendable {
  /// The promise at this point of the chain.
  public let inner: Promise<Value, Failure>
  /// The tokens that every step uses.
  public let tokens: [PromiseInvalidationToken]
  /// The context of callbacks that have no context of their own and are isolated to no actor.
  public let defaultContext: PromiseContext
  @usableFromInline let reference: OwnerReference<Owner>

  /// The owner, or `nil` if it no longer exists.
  public var owner: Owner? { reference.owner }

  /// Registers a step. Every operator goes through this function. `bind` makes the callback of the step for an owner.
  @inlinable
  func link<S: Step>(
    _ step: S.Type, on context: PromiseContext, token: PromiseInvalidationToken?,
    _ bind: @escaping @Sendable (Owner) -> S.Callback
  ) -> BoundPromise<Owner, S.Output, S.OutputFailure> where S.Input == Value, S.InputFailure == Failure {
    link(
      inner.observe(
        OwnerStep<Owner, S>.self, on: context, gate: tokens.gate(with: token), OwnerCallback(reference, bind)))
  }

  /// Returns the next link of the chain, and registers its promise with the tokens, so that they can ask it to cancel.
  @usableFromInline
  func link<U, E>(_ promise: Promise<U, E>) -> BoundPromise<Owner, U, E> {
    for token in tokens { token.requestCancelOnInvalidate(promise) }
    return BoundPromise<Owner, U, E>(
      inner: promise, tokens: tokens, defaultContext: defaultContext, reference: reference)
  }
}

extension Promise {
  /// Returns a chain that starts at this promise and whose callbacks belong to an owner.
  ///
  /// - Parameters:
  ///   - owner: The object to pass to each callback. The chain does not retain it.
  ///   - defaultContext: The context of callbacks that have no context of their own and are isolated to no actor.
  ///     `.auto` by default.
  public func bound<Owner: AnyObject & Sendable>(
    to owner: Owner, defaultContext: PromiseContext = .auto
  ) -> BoundPromise<Owner, Value, Failure> {
    BoundPromise(inner: self, tokens: [], defaultContext: defaultContext, reference: OwnerReference(owner))
  }
}

extension BoundPromise {
  /// Returns this chain with one more token for the following steps. See ``Promise/withToken(_:)``.
  public func withToken(_ token: PromiseInvalidationToken) -> BoundPromise {
    BoundPromise(inner: inner, tokens: tokens + [token], defaultContext: defaultContext, reference: reference)
  }
}
