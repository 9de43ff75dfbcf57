import Overmorrow

/// A chain whose every step uses one invalidation token, and whose every promise but the first is cancelled by it.
///
/// Unlike `TokenPromise` of Overmorrow, its closures belong to where they are written, and its failure need not be an
/// error.
public struct TokenPromise<Value: Sendable, Failure: Sendable>: Sendable, Hashable {
  /// The failure, by the name that it has in Tomorrowland.
  public typealias Error = Failure

  /// The promise at this point of the chain.
  public let inner: Promise<Value, Failure>
  /// The token that every step uses.
  public let token: PromiseInvalidationToken

  /// A chain that starts at a promise.
  ///
  /// - Parameters:
  ///   - promise: Where the chain starts.
  ///   - token: What every step uses.
  public init(promise: Promise<Value, Failure>, token: PromiseInvalidationToken) {
    inner = promise
    self.token = token
  }

  /// The next link of the chain.
  func link<U, E>(_ promise: Promise<U, E>) -> TokenPromise<U, E> {
    token.requestCancelOnInvalidate(promise)
    return TokenPromise<U, E>(promise: promise, token: token)
  }
}

extension Promise {
  /// A chain that starts here, whose every step uses a token and is cancelled by it.
  ///
  /// - Parameter token: What every step uses.
  public func withToken(_ token: PromiseInvalidationToken) -> TokenPromise<Value, Failure> {
    TokenPromise(promise: self, token: token)
  }
}

extension TokenPromise {
  /// The same result, without taking part in cancellation. See `Promise.tap` of Overmorrow.
  public func tap() -> TokenPromise { link(inner.tap()) }

  /// Runs a closure beside the chain. See `Promise.fork` of Overmorrow.
  @discardableResult
  public func fork(_ body: (TokenPromise) throws -> Void) rethrows -> TokenPromise {
    try body(self)
    return self
  }

  /// Asks the promise at this point to cancel. See `Promise.requestCancel` of Overmorrow.
  public func requestCancel() { inner.requestCancel() }

  /// The same result, without passing requests to cancel on. See `Promise.ignoringCancel` of Overmorrow.
  public func ignoringCancel() -> TokenPromise { link(inner.ignoringCancel()) }

  /// Asks the promise at this point to cancel when another token is invalidated, too.
  @discardableResult
  public func requestCancelOnInvalidate(_ token: PromiseInvalidationToken) -> TokenPromise {
    inner.requestCancelOnInvalidate(token)
    return self
  }
}

extension TokenPromise where Failure: Swift.Error {
  /// The failure widened to any error. See `Promise.upcast` of Overmorrow.
  public var upcast: TokenPromise<Value, any Swift.Error> { link(inner.upcast) }
}
