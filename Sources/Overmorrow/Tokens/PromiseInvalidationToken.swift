public import OvermorrowEngine

/// A token that, when it is invalidated, suppresses callbacks and asks promises to cancel.
///
/// Pass a token to an operator as `token`, connect it with a promise by `requestCancelOnInvalidate(_:)`, or use it for
/// all steps of a chain with an owner by `bound(to:token:)`. A token may be used for any number of callbacks and
/// promises. An invalidation affects only callbacks and promises that were registered before the invalidation, so the
/// token can be used again afterwards.
///
/// ```swift
/// final class Thumbnail {
///   private let token = PromiseInvalidationToken()
///
///   func show(_ url: URL) {
///     token.invalidate()  // what was being loaded is of no interest any more
///     load(url).then(token: token) { image in display(image) }.requestCancelOnInvalidate(token)
///   }
/// }
/// ```
///
/// All copies of a token are equal and act as one token. By default, a token is invalidated when its last copy is
/// released. Registered callbacks and promises do not retain the token.
public struct PromiseInvalidationToken: Sendable {
  let storage: TokenStorage

  /// Creates a token.
  ///
  /// - Parameter invalidateOnDeinit: Whether the token is invalidated when its last copy is released. `true` by
  ///   default.
  public init(invalidateOnDeinit: Bool = true) {
    storage = TokenStorage(invalidateOnDeinit: invalidateOnDeinit)
  }

  /// Suppresses the callbacks that have been registered with this token so far, and asks the registered promises to
  /// cancel.
  ///
  /// A callback that has not started at the invalidation never runs, whatever its context. If a promise needed the
  /// value of that callback, the promise is cancelled. Tokens that follow this token are invalidated, too.
  public func invalidate() { storage.invalidate(suppressing: true) }

  /// Asks the promises that have been registered with this token so far to cancel, without suppressing callbacks.
  public func cancelWithoutInvalidating() { storage.invalidate(suppressing: false) }

  /// Asks a promise to cancel at the next invalidation.
  ///
  /// The token does not retain the promise. After the promise has resolved, the token removes the promise from its
  /// list.
  public func requestCancelOnInvalidate<Value, Failure>(_ promise: Promise<Value, Failure>) {
    if promise.handle.core.outcome == nil { storage.add(promise.handle) }
  }

  /// Invalidates this token whenever another token is invalidated. The connection is permanent.
  ///
  /// A token can follow several tokens. If tokens follow each other in a cycle, an invalidation visits each token once.
  /// Neither token retains the other.
  ///
  /// - Parameters:
  ///   - token: The token to follow.
  ///   - includingCancelWithoutInvalidating: Whether this token also follows the `cancelWithoutInvalidating()` of
  ///     `token`. `true` by default.
  public func chainInvalidation(
    from token: PromiseInvalidationToken, includingCancelWithoutInvalidating: Bool = true
  ) {
    TokenForest.connect(storage, to: token.storage, includingCancel: includingCancelWithoutInvalidating)
  }

  @usableFromInline
  var gate: Gate { Gate(roster) }

  /// The roster of a callback that is registered now.
  var roster: TokenRoster { storage.callbackRoster }
}

extension PromiseInvalidationToken: Hashable {
  /// Returns whether two tokens are copies of one token.
  public static func == (left: PromiseInvalidationToken, right: PromiseInvalidationToken) -> Bool {
    left.storage === right.storage
  }

  /// Hashes the identity of the token.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(storage)) }
}

extension Promise {
  /// Asks this promise to cancel at the next invalidation of a token.
  ///
  /// - Parameter token: The token. It does not retain the promise. After the promise has resolved, the token removes
  ///   the promise from its list.
  /// - Returns: This promise.
  @discardableResult
  public func requestCancelOnInvalidate(_ token: PromiseInvalidationToken) -> Promise {
    token.requestCancelOnInvalidate(self)
    return self
  }
}
