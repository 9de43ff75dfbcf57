extension Promise {
  /// Runs a closure with the result.
  ///
  /// - Fulfils, fails, cancels: as this promise, after `onComplete` has returned.
  /// - Runs on: `context`.
  /// - Order: after the observers registered before it.
  /// - Parameters:
  ///   - context: Where `onComplete` runs.
  ///   - token: Suppresses `onComplete` when it is invalidated.
  ///   - onComplete: Called with the result.
  /// - Returns: A new promise, so that cancelling it leaves the other observers alone; or this one, if it is resolved
  ///   and nothing is left to wait for.
  @inlinable
  @discardableResult
  @_disfavoredOverload
  public func always(
    on context: PromiseContext, token: PromiseInvalidationToken? = nil,
    _ onComplete: @escaping @Sendable (PromiseResult<Value, Failure>) -> Void
  ) -> Promise {
    observe(AlwaysStep<Value, Failure>.self, on: context, gate: token?.gate, .init(onComplete))
  }

  /// Runs a closure with the result, where the closure belongs.
  ///
  /// Behaves as ``always(on:token:_:)`` otherwise; leave out `isolation`, the caller's actor.
  ///
  /// - Runs on: the actor that `onComplete` belongs to, or `.auto` if it belongs to none. With `nowIfResolved`, inside
  ///   this call if the promise is resolved and the call is made there.
  /// - Returns: A new promise, so that cancelling it leaves the other observers alone.
  @inlinable
  @discardableResult
  public func always(
    nowIfResolved: Bool = false, token: PromiseInvalidationToken? = nil, isolation: (any Actor)? = #isolation,
    @_inheritActorContext(always) _ onComplete:
      @escaping @Sendable @isolated(any) (PromiseResult<Value, Failure>) -> Void
  ) -> Promise {
    register(
      AlwaysStep<Value, Failure>.self, on: .here(onComplete.isolation, nowIfResolved, isolation),
      gate: token?.gate, .init(Isolation.unchecked(onComplete)))
  }
}

@usableFromInline
enum AlwaysStep<Input: Sendable, InputFailure: Sendable>: Observer {
  @usableFromInline typealias Callback = Reaction<PromiseResult<Input, InputFailure>>
  @inlinable static var traits: Traits { [.takesPart, .onAnything] }

  @inlinable
  @inline(__always)
  static func look(_ callback: Callback, _ input: PromiseResult<Input, InputFailure>) -> InputFailure? {
    callback.call(input)
    return nil
  }
}
