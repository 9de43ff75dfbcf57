extension Promise {
  /// Runs a closure with the error.
  ///
  /// - Fulfils, fails, cancels: as this promise; if `onRejected` runs, after it has returned.
  /// - Runs on: `context`.
  /// - Order: after the observers registered before it.
  /// - Parameters:
  ///   - context: Where `onRejected` runs.
  ///   - token: Suppresses `onRejected` when it is invalidated.
  ///   - onRejected: Called with the error.
  /// - Returns: A new promise, so that cancelling it leaves the other observers alone; or this one, if it is resolved
  ///   and nothing is left to wait for.
  @inlinable
  @discardableResult
  @_disfavoredOverload
  public func `catch`(
    on context: PromiseContext, token: PromiseInvalidationToken? = nil,
    _ onRejected: @escaping @Sendable (Failure) -> Void
  ) -> Promise {
    observe(CatchStep<Value, Failure>.self, on: context, gate: token?.gate, .init(onRejected))
  }

  /// Runs a closure with the error, where the closure belongs.
  ///
  /// Behaves as ``catch(on:token:_:)`` otherwise; leave out `isolation`, the caller's actor.
  ///
  /// - Runs on: the actor that `onRejected` belongs to, or `.auto` if it belongs to none. With `nowIfResolved`, inside
  ///   this call if the promise is resolved and the call is made there.
  /// - Returns: A new promise, so that cancelling it leaves the other observers alone.
  @inlinable
  @discardableResult
  public func `catch`(
    nowIfResolved: Bool = false, token: PromiseInvalidationToken? = nil, isolation: (any Actor)? = #isolation,
    @_inheritActorContext(always) _ onRejected: @escaping @Sendable @isolated(any) (Failure) -> Void
  ) -> Promise {
    register(
      CatchStep<Value, Failure>.self, on: .here(onRejected.isolation, nowIfResolved, isolation),
      gate: token?.gate, .init(Isolation.unchecked(onRejected)))
  }
}

@usableFromInline
enum CatchStep<Input: Sendable, InputFailure: Sendable>: Observer {
  @usableFromInline typealias Callback = Reaction<InputFailure>
  @inlinable static var traits: Traits { [.takesPart, .onError] }

  @inlinable
  @inline(__always)
  static func look(_ callback: Callback, _ input: PromiseResult<Input, InputFailure>) -> InputFailure? {
    if case .error(let error) = input { callback.call(error) }
    return nil
  }
}
