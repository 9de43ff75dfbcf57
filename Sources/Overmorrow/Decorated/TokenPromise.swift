/// A chain in which every step uses invalidation tokens.
///
/// ``Promise/withToken(_:)`` creates a chain with one token. A token need not be repeated for each step:
///
/// ```swift
/// fetchModel()
///   .withToken(token)
///   .then { show($0) }
///   .catch { report($0) }
/// ```
///
/// If a token is invalidated, the callbacks of the chain no longer run, and the steps of the chain are asked to cancel.
/// The steps withdraw their votes on the promise that the chain starts from. Other chains that start from this promise
/// continue.
public struct TokenPromise<Value: Sendable, Failure: Sendable>: Hashable, Sendable {
  /// The promise at this point of the chain.
  public let inner: Promise<Value, Failure>
  /// The tokens that every step uses.
  public let tokens: [PromiseInvalidationToken]

  /// Creates a chain that starts at a promise and in which every step uses the tokens.
  public init(_ promise: Promise<Value, Failure>, tokens: [PromiseInvalidationToken]) {
    inner = promise
    self.tokens = tokens
  }

  /// Registers a step with the tokens of the chain. Every operator with a callback except `tap` calls this function.
  @inlinable
  func link<S: Step>(
    _ step: S.Type, on context: PromiseContext, token: PromiseInvalidationToken?, _ callback: S.Callback
  ) -> TokenPromise<S.Output, S.OutputFailure> where S.Input == Value, S.InputFailure == Failure {
    link(inner.observe(step, on: context, gate: tokens.gate(with: token), callback))
  }

  /// Returns the next link of the chain. If a token of the chain is invalidated, the token asks the promise of the new
  /// link to cancel.
  @usableFromInline
  func link<U, E>(_ promise: Promise<U, E>) -> TokenPromise<U, E> {
    for token in tokens { token.requestCancelOnInvalidate(promise) }
    return TokenPromise<U, E>(promise, tokens: tokens)
  }
}

extension Promise {
  /// Returns a chain that starts at this promise and in which every step uses a token.
  ///
  /// The token asks the steps of the chain to cancel, but not this promise.
  @_disfavoredOverload  // the drop-in module for Tomorrowland has another form, for any failure
  public func withToken(_ token: PromiseInvalidationToken) -> TokenPromise<Value, Failure> {
    TokenPromise(self, tokens: [token])
  }
}

extension TokenPromise {
  /// Returns this chain with one more token for the following steps.
  public func withToken(_ token: PromiseInvalidationToken) -> TokenPromise {
    TokenPromise(inner, tokens: tokens + [token])
  }

  /// Returns this chain with an owner for the following steps. See ``Promise/bound(to:defaultContext:)``.
  public func bound<Owner: AnyObject & Sendable>(
    to owner: Owner, defaultContext: PromiseContext = .auto
  ) -> BoundPromise<Owner, Value, Failure> {
    BoundPromise(inner: inner, tokens: tokens, defaultContext: defaultContext, reference: OwnerReference(owner))
  }
}
