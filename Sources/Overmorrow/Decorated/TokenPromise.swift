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
/// cancel. The promise that the chain was made from gets that as a request by its children: other chains on it go on.
public struct TokenPromise<Value: Sendable, Failure: Sendable>: Hashable, Sendable {
  /// The promise at this point of the chain.
  public let inner: Promise<Value, Failure>
  /// The tokens that every step uses.
  public let tokens: [PromiseInvalidationToken]

  /// A chain that starts at a promise, and whose every step uses the tokens.
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
  @_disfavoredOverload  // the module for code of Tomorrowland has one with forms for any failure
  public func withToken(_ token: PromiseInvalidationToken) -> TokenPromise<Value, Failure> {
    TokenPromise(self, tokens: [token])
  }
}

extension TokenPromise {
  /// This chain with one more token for the steps to come.
  public func withToken(_ token: PromiseInvalidationToken) -> TokenPromise {
    TokenPromise(inner, tokens: tokens + [token])
  }

  /// This chain with an owner for the steps to come. See ``Promise/bound(to:defaultContext:)``.
  public func bound<Owner: AnyObject & Sendable>(
    to owner: Owner, defaultContext: PromiseContext = .auto
  ) -> BoundPromise<Owner, Value, Failure> {
    BoundPromise(inner: inner, tokens: tokens, defaultContext: defaultContext, reference: OwnerReference(owner))
  }
}
