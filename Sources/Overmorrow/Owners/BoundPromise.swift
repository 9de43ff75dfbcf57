/// A chain whose callbacks belong to an object, which it does not keep alive.
///
/// Made by ``Promise/bound(to:defaultContext:)``. Each callback gets the owner as its first argument, and holds it for as
/// long as it runs; so `[weak self]` and its guards are not needed:
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
/// When a callback is about to run and the owner is gone, it does not run. Its promise is then rejected with
/// ``PromiseOwnerError/contextDeallocated``, if that is a `Failure`, as it is for `any Error`; otherwise it is cancelled.
/// A cancelled promise stays cancelled. Steps whose callback is not meant for the result pass it on.
///
/// A callback without a context of its own runs on the actor that it belongs to, as above on the main actor; one that
/// belongs to no actor runs on the default context of the chain.
public struct BoundPromise<Owner: AnyObject & Sendable, Value: Sendable, Failure: Sendable>: Sendable {
  /// The promise at this point of the chain.
  public let inner: Promise<Value, Failure>
  /// Where callbacks run that have no context of their own, and belong to no actor.
  public let defaultContext: PromiseContext
  private let reference: OwnerReference<Owner>

  /// The owner, or `nil` when it is gone.
  public var owner: Owner? { reference.owner }

  fileprivate init(_ promise: Promise<Value, Failure>, _ context: PromiseContext, _ reference: OwnerReference<Owner>) {
    inner = promise
    defaultContext = context
    self.reference = reference
  }

  /// Registers a step: the one way in for every operator. `bind` makes of the owner the callback of the step.
  func link<S: Step>(
    _ step: S.Type, on context: PromiseContext, _ bind: @escaping @Sendable (Owner) -> S.Callback
  ) -> BoundPromise<Owner, S.Output, S.OutputFailure> where S.Input == Value, S.InputFailure == Failure {
    let promise = inner.observe(
      OwnerStep<Owner, S>.self, on: context, token: nil, OwnerCallback(reference: reference, bind: bind))
    return BoundPromise<Owner, S.Output, S.OutputFailure>(promise, defaultContext, reference)
  }

  /// Where a closure runs that may belong to an actor.
  func place(
    of isolation: (any Actor)?, at context: IsolatedContext, registeredOn caller: (any Actor)?
  ) -> PromiseContext {
    context.context(of: isolation, registeredOn: caller, otherwise: defaultContext)
  }
}

extension Promise {
  /// A chain that starts here, and whose callbacks belong to an object.
  ///
  /// - Parameters:
  ///   - owner: Handed to each callback; the chain does not keep it.
  ///   - defaultContext: Where callbacks run that have no context of their own, and belong to no actor.
  public func bound<Owner: AnyObject & Sendable>(
    to owner: Owner, defaultContext: PromiseContext = .auto
  ) -> BoundPromise<Owner, Value, Failure> {
    BoundPromise(self, defaultContext, OwnerReference(owner))
  }
}

extension BoundPromise {
  /// Runs a closure beside the chain. See ``Promise/fork(_:)``.
  ///
  /// - Parameter body: Called at once with this chain.
  /// - Returns: This chain.
  /// - Throws: What `body` throws.
  @discardableResult
  public func fork<E: Error>(_ body: (BoundPromise) throws(E) -> Void) throws(E) -> BoundPromise {
    try body(self)
    return self
  }

  /// Asks the promise at this point to cancel. See ``Promise/requestCancel()``.
  public func requestCancel() { inner.requestCancel() }

  /// Asks the promise at this point to cancel when a token is invalidated.
  ///
  /// - Parameter token: Does not keep the promise, and forgets it once it has resolved.
  /// - Returns: This chain.
  @discardableResult
  public func requestCancelOnInvalidate(_ token: PromiseInvalidationToken) -> BoundPromise {
    inner.requestCancelOnInvalidate(token)
    return self
  }

  /// The same result, without passing requests to cancel on. See ``Promise/ignoringCancel()``.
  public func ignoringCancel() -> BoundPromise { BoundPromise(inner.ignoringCancel(), defaultContext, reference) }
}

extension BoundPromise where Failure: Error {
  /// The failure widened to `any Error`, so that the end of the owner is an error. See ``Promise/upcast``.
  public var upcast: BoundPromise<Owner, Value, any Error> {
    BoundPromise<Owner, Value, any Error>(inner.upcast, defaultContext, reference)
  }
}

extension BoundPromise where Owner: PromiseOwner {
  /// Asks the promise at this point to cancel when the owner goes away, or at once if it is gone.
  ///
  /// - Returns: This chain.
  @discardableResult
  public func requestCancelOnDeinit() -> BoundPromise {
    if let owner { inner.requestCancelOnDeinit(owner) } else { inner.requestCancel() }
    return self
  }
}
