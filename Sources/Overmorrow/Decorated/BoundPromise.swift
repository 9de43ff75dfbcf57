public import OvermorrowEngine

/// A chain whose callbacks belong to an owner, an object that the chain does not retain.
///
/// ``Promise/bound(to:token:defaultContext:)`` creates a bound chain. Each callback receives the owner as its first
/// argument. The owner is retained while the callback runs, so `[weak self]` and `guard let self` are not needed:
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
/// whose callback is not meant for the result forwards the result.
///
/// A callback without a context runs on the actor that the callback is isolated to. In the example, this is the main
/// actor. A callback that is isolated to no actor runs on the default context of the chain.
///
/// A chain can have an invalidation token. If the token is invalidated, the callbacks of the chain no longer run, and
/// the steps of the chain are asked to cancel. The steps withdraw their votes on the promise that the chain starts
/// from. Other chains that start from this promise continue:
///
/// ```swift
/// fetchPage()
///   .bound(to: self, token: token)
///   .timeout(.seconds(10))
///   .then { view, page in view.show(page) }
/// ```
///
/// Use ``inner`` where a plain promise is needed, for instance as an input of `when`.
public struct BoundPromise<Owner: AnyObject & Sendable, Value: Sendable, Failure: Sendable>: Sendable {
  /// The promise at this point of the chain.
  public let inner: Promise<Value, Failure>
  /// The token that every step uses, or `nil`.
  public let token: PromiseInvalidationToken?
  /// The context of callbacks that have no context of their own and are isolated to no actor.
  public let defaultContext: PromiseContext
  @usableFromInline let reference: OwnerReference<Owner>

  /// The owner, or `nil` if it no longer exists.
  public var owner: Owner? { reference.owner }

  /// Registers a step with the owner and the token of the chain. Every operator with a callback except `tap` calls
  /// this function. `bind` makes the callback of the step for an owner.
  @inlinable
  func link<S: Step>(
    _ step: S.Type, on context: PromiseContext, token: PromiseInvalidationToken?,
    _ bind: @escaping @Sendable (Owner) -> S.Callback
  ) -> BoundPromise<Owner, S.Output, S.OutputFailure> where S.Input == Value, S.InputFailure == Failure {
    link(
      inner.observe(
        OwnerStep<Owner, S>.self, on: context, gate: self.token.gate(with: token), OwnerCallback(reference, bind)))
  }

  /// Returns the next link of the chain. An invalidation of the chain's token asks the promise of the new link to
  /// cancel.
  @usableFromInline
  func link<U, E>(_ promise: Promise<U, E>) -> BoundPromise<Owner, U, E> {
    token?.requestCancelOnInvalidate(promise)
    return BoundPromise<Owner, U, E>(
      inner: promise, token: token, defaultContext: defaultContext, reference: reference)
  }
}

extension Promise {
  /// Returns a chain that starts at this promise and whose callbacks belong to an owner.
  ///
  /// - Parameters:
  ///   - owner: The object to pass to each callback. The chain does not retain it.
  ///   - token: A token that every step uses, in addition to the token of the step's operator. An invalidation
  ///     suppresses the callbacks of the chain, and asks the steps of the chain to cancel, but not this promise.
  ///   - defaultContext: The context of callbacks that have no context of their own and are isolated to no actor.
  ///     `.auto` by default.
  public func bound<Owner: AnyObject & Sendable>(
    to owner: Owner, token: PromiseInvalidationToken? = nil, defaultContext: PromiseContext = .auto
  ) -> BoundPromise<Owner, Value, Failure> {
    BoundPromise(inner: self, token: token, defaultContext: defaultContext, reference: OwnerReference(owner))
  }
}

extension PromiseInvalidationToken? {
  /// Returns the gate of a callback with the token of its chain, which is this token, and with the token of its
  /// operator. Returns `nil` if there is no token.
  @usableFromInline
  func gate(with token: PromiseInvalidationToken?) -> Gate? {
    guard let self else { return token?.gate }
    return Gate(self.roster, token?.roster)
  }
}
