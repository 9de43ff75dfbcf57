/// A chain whose every step uses invalidation tokens, and is cancelled by them.
///
/// Made by ``Promise/withToken(_:)``. It saves writing the token again and again:
///
/// ```swift
/// fetchModel()
///   .withToken(token)
///   .then { show($0) }
///   .catch { report($0) }
/// ```
///
/// When a token is invalidated, the callbacks of the chain do not run any more, and the steps of the chain are asked to
/// cancel. The promise that the chain was made from hears of that as of any request by its children: other chains on it
/// go on.
public struct TokenPromise<Value: Sendable, Failure: Sendable>: DecoratedPromise, Hashable {
  /// The promise at this point of the chain.
  public let inner: Promise<Value, Failure>
  /// The tokens that every step uses.
  public let tokens: [PromiseInvalidationToken]

  /// A chain that starts at a promise.
  ///
  /// - Parameters:
  ///   - promise: Where the chain starts.
  ///   - tokens: What every step uses.
  public init(_ promise: Promise<Value, Failure>, tokens: [PromiseInvalidationToken]) {
    inner = promise
    self.tokens = tokens
  }

  /// Registers a step: the one way in for every operator.
  @inlinable
  func link<S: Step>(
    _ step: S.Type, on context: PromiseContext, token: PromiseInvalidationToken?, _ callback: S.Callback
  ) -> TokenPromise<S.Output, S.OutputFailure> where S.Input == Value, S.InputFailure == Failure {
    link(inner.observe(step, on: context, gate: tokens.gate(with: token), callback))
  }

  /// The next link of the chain: a promise that the tokens ask to cancel.
  @usableFromInline
  func link<U, E>(_ promise: Promise<U, E>) -> TokenPromise<U, E> {
    for token in tokens { token.requestCancelOnInvalidate(promise) }
    return TokenPromise<U, E>(promise, tokens: tokens)
  }
}

extension Promise {
  /// A chain that starts here, whose every step uses a token and is cancelled by it.
  ///
  /// The token asks the steps of the chain to cancel, not this promise.
  ///
  /// - Parameter token: What every step uses.
  @_disfavoredOverload  // the module for code of Tomorrowland has one with forms for any failure
  public func withToken(_ token: PromiseInvalidationToken) -> TokenPromise<Value, Failure> {
    TokenPromise(self, tokens: [token])
  }
}

extension TokenPromise {
  /// This chain with one more token for the steps to come.
  ///
  /// - Parameter token: What every further step uses beside the tokens that there are.
  public func withToken(_ token: PromiseInvalidationToken) -> TokenPromise {
    TokenPromise(inner, tokens: tokens + [token])
  }

  /// This chain with an owner for the steps to come. See ``Promise/bound(to:defaultContext:)``.
  ///
  /// - Parameters:
  ///   - owner: Handed to each callback; the chain does not keep it.
  ///   - defaultContext: Where callbacks run that have no context of their own and belong to no actor.
  public func bound<Owner: AnyObject & Sendable>(
    to owner: Owner, defaultContext: PromiseContext = .auto
  ) -> BoundPromise<Owner, Value, Failure> {
    BoundPromise(inner, tokens: tokens, owner: owner, defaultContext: defaultContext)
  }

  /// Runs a closure beside the chain. See ``Promise/fork(_:)``.
  ///
  /// - Parameter body: Called at once with this chain.
  /// - Returns: This chain.
  /// - Throws: What `body` throws.
  @discardableResult
  public func fork<E: Error>(_ body: (TokenPromise) throws(E) -> Void) throws(E) -> TokenPromise {
    try body(self)
    return self
  }

  /// Asks the promise at this point to cancel when another token is invalidated, too.
  ///
  /// - Parameter token: Does not keep the promise, and forgets it once it has resolved.
  /// - Returns: This chain.
  @discardableResult
  public func requestCancelOnInvalidate(_ token: PromiseInvalidationToken) -> TokenPromise {
    inner.requestCancelOnInvalidate(token)
    return self
  }

  /// The same result, without taking part in cancellation. See ``Promise/tap()``.
  public func tap() -> TokenPromise { link(inner.tap()) }

  /// The same result, without passing requests to cancel on. See ``Promise/ignoringCancel()``.
  public func ignoringCancel() -> TokenPromise { link(inner.ignoringCancel()) }

  /// The same result, with a vote of its own. See ``Promise/makeChild()``.
  public func makeChild() -> TokenPromise { link(inner.makeChild()) }

  /// The same result, but later. See ``Promise/delay(on:_:clock:)``.
  ///
  /// - Runs on: `context`, where the promise is resolved.
  /// - Parameters:
  ///   - context: By default `.main` if this is called on the main queue, else `.default`.
  ///   - duration: How long to wait; zero or less means as soon as possible.
  ///   - clock: What measures the delay.
  public func delay<C: Clock>(
    on context: PromiseContext = .auto, _ duration: Duration, clock: C = ContinuousClock()
  ) -> TokenPromise where C.Duration == Duration {
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
  ) -> TokenPromise<Value, PromiseTimeoutError<Failure>> where C.Duration == Duration {
    link(inner.timeout(on: context, duration, clock: clock))
  }
}

extension TokenPromise where Failure == any Error {
  /// The same result, unless that takes too long. See ``Promise/timeout(on:_:clock:)``.
  ///
  /// - Runs on: `context`, where the promise is resolved.
  /// - Parameters:
  ///   - context: By default `.nowOr(.auto)`: if this promise is resolved, so is the next one.
  ///   - duration: How long to wait.
  ///   - clock: What measures the delay.
  public func timeout<C: Clock>(
    on context: PromiseContext = .nowOr(.auto), _ duration: Duration, clock: C = ContinuousClock()
  ) -> TokenPromise where C.Duration == Duration {
    link(inner.timeout(on: context, duration, clock: clock))
  }
}

extension TokenPromise where Failure: Error {
  /// The failure widened to `any Error`. See ``Promise/upcast``.
  public var upcast: TokenPromise<Value, any Error> { link(inner.upcast) }
}
