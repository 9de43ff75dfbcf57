import Overmorrow

/// A chain in which every step uses the same invalidation token. Invalidating the token requests the cancellation of
/// every promise of the chain except the first.
///
/// The closures of this type's operators inherit the actor of the surrounding code. The failure type need not be an
/// `Error`.
public struct TokenPromise<Value: Sendable, Failure: Sendable>: Sendable, Hashable {
  /// The failure type under its name in Tomorrowland.
  public typealias Error = Failure

  /// The promise at this point of the chain.
  public let inner: Promise<Value, Failure>
  /// The token that every step uses.
  public let token: PromiseInvalidationToken

  /// Creates a chain that starts at a promise.
  ///
  /// - Parameters:
  ///   - promise: The promise at which the chain starts.
  ///   - token: The token that every step uses.
  public init(promise: Promise<Value, Failure>, token: PromiseInvalidationToken) {
    inner = promise
    self.token = token
  }

  /// Appends a promise to the chain.
  func link<U, E>(_ promise: Promise<U, E>) -> TokenPromise<U, E> {
    token.requestCancelOnInvalidate(promise)
    return TokenPromise<U, E>(promise: promise, token: token)
  }
}

extension Promise {
  /// Starts a chain at this promise. Every step of the chain uses the same token. Invalidating the token requests the
  /// cancellation of every step.
  ///
  /// - Parameter token: The token that every step uses.
  public func withToken(_ token: PromiseInvalidationToken) -> TokenPromise<Value, Failure> {
    TokenPromise(promise: self, token: token)
  }
}

extension TokenPromise {
  /// Returns a chain with the same result. The new chain has no vote on the cancellation of this chain. See
  /// `Promise.tap` of Overmorrow.
  public func tap() -> TokenPromise { link(inner.tap()) }

  /// Calls a closure with this chain, and returns the chain. See `Promise.fork` of Overmorrow.
  @discardableResult
  public func fork(_ body: (TokenPromise) throws -> Void) rethrows -> TokenPromise {
    try body(self)
    return self
  }

  /// Requests the cancellation of the promise at this point of the chain. See `Promise.requestCancel` of Overmorrow.
  public func requestCancel() { inner.requestCancel() }

  /// Returns a chain with the same result. The new chain never passes on a request to cancel. See
  /// `Promise.ignoringCancel` of Overmorrow.
  public func ignoringCancel() -> TokenPromise { link(inner.ignoringCancel()) }

  /// Registers the promise at this point of the chain with another token. Invalidating that token also requests the
  /// cancellation of the promise.
  @discardableResult
  public func requestCancelOnInvalidate(_ token: PromiseInvalidationToken) -> TokenPromise {
    inner.requestCancelOnInvalidate(token)
    return self
  }
}

extension TokenPromise where Failure: Swift.Error {
  /// This chain with the failure type `any Error`. See `Promise.upcast` of Overmorrow.
  public var upcast: TokenPromise<Value, any Swift.Error> { link(inner.upcast) }
}
