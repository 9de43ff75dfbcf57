public import OvermorrowEngine

extension Promise {
  /// Runs a closure when the promise is cancelled.
  ///
  /// The returned promise has no vote, so it does not stop a request to cancel that the other children have made.
  /// However, if the returned promise is the only child, a request to cancel the returned promise is forwarded to this
  /// promise.
  ///
  /// - Fulfils, fails, cancels: with this promise's result. If `onCancel` runs, the returned promise is resolved after
  ///   `onCancel` has returned.
  /// - Runs on: `context`.
  /// - Order: after all observers that were registered earlier.
  /// - Parameters:
  ///   - context: The context on which `onCancel` runs.
  ///   - token: A token whose invalidation suppresses `onCancel`.
  ///   - onCancel: The closure to call.
  /// - Returns: A new promise, which can be cancelled without affecting the other observers. Returns this promise
  ///   itself in two cases: if this promise is already fulfilled or rejected, or if `onCancel` runs inside this call on
  ///   `.immediate`.
  @inlinable
  @discardableResult
  @_disfavoredOverload  // so that the Tomorrowland module's form, whose closure inherits the actor, is preferred
  public func onCancel(
    on context: PromiseContext, token: PromiseInvalidationToken? = nil,
    _ onCancel: @escaping @Sendable () -> Void
  ) -> Promise {
    observe(OnCancelStep<Value, Failure>.self, on: context, gate: token?.gate, .init(onCancel))
  }

  /// Runs a closure when the promise is cancelled, on the actor that the closure is isolated to.
  ///
  /// Otherwise, this behaves like ``onCancel(on:token:_:)``. Omit `isolation`, because its default is the caller's
  /// actor.
  ///
  /// - Runs on: the actor that `onCancel` is isolated to, or `.auto` if it is isolated to none. `onCancel` runs inside
  ///   this call if `nowIfResolved` is `true`, the promise is resolved, and the caller has the same isolation.
  /// - Returns: A new promise, which can be cancelled without affecting the other observers.
  @inlinable
  @discardableResult
  public func onCancel(
    nowIfResolved: Bool = false, token: PromiseInvalidationToken? = nil, isolation: (any Actor)? = #isolation,
    @_inheritActorContext(always) _ onCancel: @escaping @Sendable @isolated(any) () -> Void
  ) -> Promise {
    register(
      OnCancelStep<Value, Failure>.self, on: .isolated(to: onCancel.isolation, nowIfResolved, isolation),
      gate: token?.gate, .init(Isolation.unchecked(onCancel)))
  }
}

@usableFromInline
enum OnCancelStep<Input: Sendable, InputFailure: Sendable>: Observer {
  @inlinable static var traits: Traits { [.asks, .onCancelled] }

  @usableFromInline
  struct Callback: Sendable {
    @usableFromInline let call: @Sendable () -> Void

    @inlinable
    init(_ call: @escaping @Sendable () -> Void) { self.call = call }
  }

  @inlinable
  @inline(__always)
  static func runCallback(_ callback: Callback, _ input: PromiseResult<Input, InputFailure>) -> InputFailure? {
    callback.call()
    return nil
  }
}
