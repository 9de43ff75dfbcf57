/// A chain whose callbacks belong to an object, which it does not keep alive.
///
/// Made by ``Promise/bound(to:defaultContext:)``. Each callback gets the owner as its first argument, and holds it
/// while it runs; so `[weak self]` and its guards are not needed:
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
/// A callback does not run when the owner is gone. Its promise is then rejected with
/// ``PromiseError/ownerDeallocated`` if that is a `Failure`, as it is for `any Error`; otherwise it is cancelled.
/// A cancelled promise stays cancelled. Steps whose callback is not meant for the result pass it on.
///
/// A callback without a context runs on the actor that it belongs to, above on the main actor; one that belongs to no
/// actor runs on the default context of the chain.
///
/// Tokens act as in a ``TokenPromise``. They and an owner combine in any order:
///
/// ```swift
/// fetchPage()
///   .withToken(token)
///   .bound(to: self)
///   .timeout(.seconds(10))
///   .then { view, page in view.show(page) }
/// ```
///
/// Where a plain promise is wanted, such as an input of `when`, give ``inner``.
public struct BoundPromise<Owner: AnyObject & Sendable, Value: Sendable, Failure: Sendable>: Sendable {
  /// The promise at this point of the chain.
  public let inner: Promise<Value, Failure>
  /// The tokens that every step uses.
  public let tokens: [PromiseInvalidationToken]
  /// Where callbacks run that have no context of their own and belong to no actor.
  public let defaultContext: PromiseContext
  @usableFromInline let reference: OwnerReference<Owner>

  /// The owner, or `nil` when it is gone.
  public var owner: Owner? { reference.owner }

  /// Registers a step: the one way in for every operator. `bind` makes the callback of the step for an owner.
  @inlinable
  func link<S: Step>(
    _ step: S.Type, on context: PromiseContext, token: PromiseInvalidationToken?,
    _ bind: @escaping @Sendable (Owner) -> S.Callback
  ) -> BoundPromise<Owner, S.Output, S.OutputFailure> where S.Input == Value, S.InputFailure == Failure {
    link(
      inner.observe(
        OwnerStep<Owner, S>.self, on: context, gate: tokens.gate(with: token), OwnerCallback(reference, bind)))
  }

  /// The next link of the chain: a promise that the tokens ask to cancel.
  @usableFromInline
  func link<U, E>(_ promise: Promise<U, E>) -> BoundPromise<Owner, U, E> {
    for token in tokens { token.requestCancelOnInvalidate(promise) }
    return BoundPromise<Owner, U, E>(
      inner: promise, tokens: tokens, defaultContext: defaultContext, reference: reference)
  }
}

extension Promise {
  /// A chain that starts here, and whose callbacks belong to an object.
  ///
  /// - Parameters:
  ///   - owner: Handed to each callback; the chain does not keep it.
  ///   - defaultContext: Where callbacks run that have no context of their own and belong to no actor.
  public func bound<Owner: AnyObject & Sendable>(
    to owner: Owner, defaultContext: PromiseContext = .auto
  ) -> BoundPromise<Owner, Value, Failure> {
    BoundPromise(inner: self, tokens: [], defaultContext: defaultContext, reference: OwnerReference(owner))
  }
}

extension BoundPromise {
  /// This chain with one more token for the steps to come. See ``Promise/withToken(_:)``.
  public func withToken(_ token: PromiseInvalidationToken) -> BoundPromise {
    BoundPromise(inner: inner, tokens: tokens + [token], defaultContext: defaultContext, reference: reference)
  }
}
