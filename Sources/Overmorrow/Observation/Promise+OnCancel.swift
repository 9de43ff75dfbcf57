extension Promise {
  /// Runs a closure when the promise is cancelled.
  ///
  /// The observer does not keep the other observers from cancelling this promise. When there are no others, it passes
  /// on a request to cancel.
  ///
  /// - Fulfils, fails, cancels: as this promise; if `onCancel` runs, after it has returned.
  /// - Runs on: `context`.
  /// - Order: after the observers registered before it.
  /// - Parameters:
  ///   - context: Where `onCancel` runs.
  ///   - token: Suppresses `onCancel` when it is invalidated.
  ///   - onCancel: Called without arguments.
  /// - Returns: A new promise, so that cancelling it leaves the other observers alone; or this one, if it is resolved
  ///   and nothing is left to wait for.
  @inlinable
  @discardableResult
  @_disfavoredOverload
  public func onCancel(
    on context: PromiseContext, token: PromiseInvalidationToken? = nil,
    _ onCancel: @escaping @Sendable () -> Void
  ) -> Promise {
    observe(OnCancelStep<Value, Failure>.self, on: context, gate: token?.gate, .init(onCancel))
  }

  /// Runs a closure when the promise is cancelled, where the closure belongs.
  ///
  /// Behaves as ``onCancel(on:token:_:)`` otherwise; leave out `isolation`, the caller's actor.
  ///
  /// - Runs on: the actor that `onCancel` belongs to, or `.auto` if it belongs to none. With `nowIfResolved`, inside
  ///   this call if the promise is resolved and the call is made there.
  /// - Returns: A new promise, so that cancelling it leaves the other observers alone.
  @inlinable
  @discardableResult
  public func onCancel(
    nowIfResolved: Bool = false, token: PromiseInvalidationToken? = nil, isolation: (any Actor)? = #isolation,
    @_inheritActorContext(always) _ onCancel: @escaping @Sendable @isolated(any) () -> Void
  ) -> Promise {
    register(
      OnCancelStep<Value, Failure>.self, on: .here(onCancel.isolation, nowIfResolved, isolation),
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
  static func look(_ callback: Callback, _ input: PromiseResult<Input, InputFailure>) -> InputFailure? {
    callback.call()
    return nil
  }
}
