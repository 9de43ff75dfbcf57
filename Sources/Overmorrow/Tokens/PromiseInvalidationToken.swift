/// Suppresses callbacks, and cancels promises, when it is invalidated.
///
/// Give it to callbacks by their `token` parameter, to promises by `requestCancelOnInvalidate(_:)`, or to a whole chain
/// by `withToken(_:)`. It may be used for any number of them, and again after it was invalidated: what is registered
/// afterwards is not affected.
///
/// ```swift
/// final class Thumbnail {
///   private let token = PromiseInvalidationToken()
///
///   func show(_ url: URL) {
///     token.invalidate()  // what was being loaded is of no interest any more
///     load(url).withToken(token).then { image in display(image) }
///   }
/// }
/// ```
///
/// All copies of a token are the same token. By default it invalidates itself when the last copy goes; nothing that is
/// pending keeps it alive.
public struct PromiseInvalidationToken: Sendable {
  let storage: TokenStorage

  /// A new token.
  ///
  /// - Parameter invalidateOnDeinit: Whether the token invalidates itself when its last copy is released.
  public init(invalidateOnDeinit: Bool = true) {
    storage = TokenStorage(invalidateOnDeinit: invalidateOnDeinit)
  }

  /// Suppresses the callbacks registered with this token so far, and asks the promises registered for it to cancel.
  ///
  /// A callback that has not started does not run any more, whatever thread it was to run on. Where its value was
  /// needed, its promise is cancelled. Tokens chained to this one are invalidated too.
  public func invalidate() { storage.invalidate(suppressing: true) }

  /// Asks the promises registered for this token to cancel, without suppressing any callback.
  public func cancelWithoutInvalidating() { storage.invalidate(suppressing: false) }

  /// Asks a promise to cancel at the next invalidation.
  ///
  /// The token does not keep the promise, and forgets it once it has resolved.
  public func requestCancelOnInvalidate<Value, Failure>(_ promise: Promise<Value, Failure>) {
    if promise.handle.core.outcome == nil { storage.add(promise.handle) }
  }

  /// Invalidates this token whenever another one is invalidated, for ever.
  ///
  /// Tokens chained like this form trees; a cycle does no harm. The other token does not keep this one.
  ///
  /// - Parameters:
  ///   - token: The one to follow.
  ///   - includingCancelWithoutInvalidating: Whether to follow its `cancelWithoutInvalidating()` too.
  public func chainInvalidation(
    from token: PromiseInvalidationToken, includingCancelWithoutInvalidating: Bool = true
  ) {
    TokenForest.connect(storage, to: token.storage, includingCancel: includingCancelWithoutInvalidating)
  }

  /// The gate of the callbacks that are registered now.
  @usableFromInline
  var gate: Gate { Gate(roster) }

  /// The roster of the callbacks that are registered now.
  var roster: TokenRoster { storage.callbackRoster }
}

extension PromiseInvalidationToken: Hashable {
  /// Whether both are copies of one token.
  public static func == (left: PromiseInvalidationToken, right: PromiseInvalidationToken) -> Bool {
    left.storage === right.storage
  }

  /// Hashes the identity of the token.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(storage)) }
}

extension Promise {
  /// Asks this promise to cancel at the next invalidation of a token.
  ///
  /// - Parameter token: Does not keep the promise, and forgets it once it has resolved.
  /// - Returns: This promise.
  @discardableResult
  public func requestCancelOnInvalidate(_ token: PromiseInvalidationToken) -> Promise {
    token.requestCancelOnInvalidate(self)
    return self
  }
}
