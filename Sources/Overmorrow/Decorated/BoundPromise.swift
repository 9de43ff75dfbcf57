/// A chain whose callbacks belong to an owner, an object that the chain does not retain.
///
/// ``Promise/bound(to:defaultContext:)`` creates a bound chain. Each callback receives the owner as its first argument.
/// The owner is retained while the callback runs, so `[weak self]` and `guard let self` are not needed:
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
/// If the owner no longer exists, a callback does not run. The promise of its step is rejected with
/// ``PromiseError/ownerDeallocated`` if the failure type can hold this error, for example if it is `any Error`. If the
/// failure type cannot hold the error, or if the source is cancelled, the promise of the step is cancelled. A step
/// whose callback is not meant for the result passes the result on.
///
/// A callback without a context runs on the actor that the callback is isolated to. In the example, this is the main
/// actor. A callback that is isolated to no actor runs on the default context of the chain.
///
/// The tokens of the chain act like the tokens of a ``TokenPromise``. Tokens and an owner can be combined in any order:
///
/// ```swift
/// fetchPage()
///   .withToken(token)
///   .bound(to: self)
///   .timeout(.seconds(10))
///   .then { view, page in view.show(page) }
/// ```
///
/// Use ``inner`` where a plain promise is needed, for instance as an input of `when`.
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

  /// Registers a step with the owner and the tokens of the chain. Every operator with a callback except `tap` calls
  /// this function. `bind` makes the callback of the step for an owner.
  @inlinable
  func link<S: Step>(
    _ step: S.Type, on context: PromiseContext, token: PromiseInvalidationToken?,
    _ bind: @escaping @Sendable (Owner) -> S.Callback
  ) -> BoundPromise<Owner, S.Output, S.OutputFailure> where S.Input == Value, S.InputFailure == Failure {
    link(
      inner.observe(
        OwnerStep<Owner, S>.self, on: context, gate: tokens.gate(with: token), OwnerCallback(reference, bind)))
  }

  /// Returns the next link of the chain. If a token of the chain is invalidated, the token asks the promise of the new
  /// link to cancel.
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
