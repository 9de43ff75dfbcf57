/// A chain whose callbacks belong to an object, which it does not keep alive.
///
/// Made by ``Promise/bound(to:defaultContext:)``. Each callback gets the owner as its first argument, and holds it while it
/// runs; so `[weak self]` and its guards are not needed:
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
/// actor runs on the default context of the chain. Tokens, given by ``withToken(_:)``, act as in a ``TokenPromise``.
public struct BoundPromise<Owner: AnyObject & Sendable, Value: Sendable, Failure: Sendable>: DecoratedPromise {
  /// The promise at this point of the chain.
  public let inner: Promise<Value, Failure>
  /// The tokens that every step uses.
  public let tokens: [PromiseInvalidationToken]
  /// Where callbacks run that have no context of their own and belong to no actor.
  public let defaultContext: PromiseContext
  @usableFromInline let reference: OwnerReference<Owner>

  /// The owner, or `nil` when it is gone.
  public var owner: Owner? { reference.owner }

  private init(
    _ promise: Promise<Value, Failure>, _ tokens: [PromiseInvalidationToken], _ context: PromiseContext,
    _ reference: OwnerReference<Owner>
  ) {
    inner = promise
    self.tokens = tokens
    defaultContext = context
    self.reference = reference
  }

  init(
    _ promise: Promise<Value, Failure>, tokens: [PromiseInvalidationToken], owner: Owner, defaultContext: PromiseContext
  ) {
    self.init(promise, tokens, defaultContext, OwnerReference(owner))
  }

  /// Registers a step: the one way in for every operator. `bind` makes the callback of the step for an owner.
  @inlinable
  func link<S: Step>(
    _ step: S.Type, on context: PromiseContext, token: PromiseInvalidationToken?,
    _ bind: @escaping @Sendable (Owner) -> S.Callback
  ) -> BoundPromise<Owner, S.Output, S.OutputFailure> where S.Input == Value, S.InputFailure == Failure {
    link(observe(step, on: context, token: token, bind))
  }

  /// Registers a step whose promise is not a link of the chain.
  @inlinable
  func observe<S: Step>(
    _ step: S.Type, on context: PromiseContext, token: PromiseInvalidationToken?,
    _ bind: @escaping @Sendable (Owner) -> S.Callback
  ) -> Promise<S.Output, S.OutputFailure> where S.Input == Value, S.InputFailure == Failure {
    inner.observe(
      OwnerStep<Owner, S>.self, on: context, gate: tokens.gate(with: token),
      OwnerCallback(reference, bind))
  }

  /// The next link of the chain: a promise that the tokens ask to cancel.
  @usableFromInline
  func link<U, E>(_ promise: Promise<U, E>) -> BoundPromise<Owner, U, E> {
    for token in tokens { token.requestCancelOnInvalidate(promise) }
    return BoundPromise<Owner, U, E>(promise, tokens, defaultContext, reference)
  }

  /// Where a closure without a context runs.
  @usableFromInline
  func place(of isolation: (any Actor)?, _ nowIfResolved: Bool, _ caller: (any Actor)?) -> PromiseContext {
    .here(isolation, nowIfResolved: nowIfResolved, caller: caller, otherwise: defaultContext)
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
    BoundPromise(self, tokens: [], owner: owner, defaultContext: defaultContext)
  }
}

extension BoundPromise {
  /// This chain with one more token for the steps to come. See ``Promise/withToken(_:)``.
  ///
  /// - Parameter token: What every further step uses beside the tokens that there are.
  public func withToken(_ token: PromiseInvalidationToken) -> BoundPromise {
    BoundPromise(inner, tokens + [token], defaultContext, reference)
  }

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

  /// Asks the promise at this point to cancel when another token is invalidated, too.
  ///
  /// - Parameter token: Does not keep the promise, and forgets it once it has resolved.
  /// - Returns: This chain.
  @discardableResult
  public func requestCancelOnInvalidate(_ token: PromiseInvalidationToken) -> BoundPromise {
    inner.requestCancelOnInvalidate(token)
    return self
  }

  /// The same result, without taking part in cancellation. See ``Promise/tap()``.
  public func tap() -> BoundPromise { link(inner.tap()) }

  /// The same result, without passing requests to cancel on. See ``Promise/ignoringCancel()``.
  public func ignoringCancel() -> BoundPromise { link(inner.ignoringCancel()) }

  /// The same result, with a vote of its own. See ``Promise/makeChild()``.
  public func makeChild() -> BoundPromise { link(inner.makeChild()) }

  /// The same result, but later. See ``Promise/delay(on:_:clock:)``.
  ///
  /// - Runs on: `context`, where the promise is resolved.
  /// - Parameters:
  ///   - context: By default `.main` if this is called on the main queue, else `.default`.
  ///   - duration: How long to wait; zero or less means as soon as possible.
  ///   - clock: What measures the delay.
  public func delay<C: Clock>(
    on context: PromiseContext = .auto, _ duration: Duration, clock: C = ContinuousClock()
  ) -> BoundPromise where C.Duration == Duration {
    link(inner.delay(on: context, duration, clock: clock))
  }

  /// The same result, unless that takes too long. See ``Promise/timeout(on:_:clock:)``.
  ///
  /// - Runs on: `context`, where the promise is resolved.
  /// - Parameters:
  ///   - context: By default `.nowOr(.auto)`: if this promise is resolved, so is the next one.
  ///   - duration: How long to wait.
  ///   - clock: What measures the delay.
  public func timeout<C: Clock>(
    on context: PromiseContext = .nowOr(.auto), _ duration: Duration, clock: C = ContinuousClock()
  ) -> BoundPromise<Owner, Value, PromiseTimeoutError<Failure>> where C.Duration == Duration {
    link(inner.timeout(on: context, duration, clock: clock))
  }
}

extension BoundPromise where Failure == any Error {
  /// The same result, unless that takes too long. See ``Promise/timeout(on:_:clock:)``.
  ///
  /// - Runs on: `context`, where the promise is resolved.
  /// - Parameters:
  ///   - context: By default `.nowOr(.auto)`: if this promise is resolved, so is the next one.
  ///   - duration: How long to wait.
  ///   - clock: What measures the delay.
  public func timeout<C: Clock>(
    on context: PromiseContext = .nowOr(.auto), _ duration: Duration, clock: C = ContinuousClock()
  ) -> BoundPromise where C.Duration == Duration {
    link(inner.timeout(on: context, duration, clock: clock))
  }
}

extension BoundPromise where Failure: Error {
  /// The failure widened to `any Error`, so that the end of the owner is an error. See ``Promise/upcast``.
  public var upcast: BoundPromise<Owner, Value, any Error> { link(inner.upcast) }
}
