public import OvermorrowEngine

extension Promise {
  /// Runs a closure with the error.
  ///
  /// - Fulfils, fails, cancels: with this promise's result. If `onRejected` runs, the returned promise is resolved
  ///   after `onRejected` has returned.
  /// - Runs on: `context`.
  /// - Order: after all observers that were registered earlier.
  /// - Parameters:
  ///   - context: The context on which `onRejected` runs.
  ///   - token: A token whose invalidation suppresses `onRejected`.
  ///   - onRejected: The closure to call with the error.
  /// - Returns: A new promise, which can be cancelled without affecting the other observers. Returns this promise
  ///   itself in two cases: if this promise is already fulfilled or cancelled, or if `onRejected` runs inside this call
  ///   on `.immediate`.
  @inlinable
  @discardableResult
  @_disfavoredOverload  // so that the Tomorrowland module's form, whose closure inherits the actor, is preferred
  public func `catch`(
    on context: PromiseContext, token: PromiseInvalidationToken? = nil,
    _ onRejected: @escaping @Sendable (Failure) -> Void
  ) -> Promise {
    observe(CatchStep<Value, Failure>.self, on: context, gate: token?.gate, .init(onRejected))
  }

  /// Runs a closure with the error, on the actor that the closure is isolated to.
  ///
  /// Otherwise, this behaves like ``catch(on:token:_:)``. Omit `isolation`, because its default is the caller's actor.
  ///
  /// - Runs on: the actor that `onRejected` is isolated to, or `.auto` if it is isolated to none. `onRejected` runs
  ///   inside this call if `nowIfResolved` is `true`, the promise is resolved, and the caller has the same isolation.
  /// - Returns: A new promise, which can be cancelled without affecting the other observers.
  @inlinable
  @discardableResult
  public func `catch`(
    nowIfResolved: Bool = false, token: PromiseInvalidationToken? = nil, isolation: (any Actor)? = #isolation,
    @_inheritActorContext(always) _ onRejected: @escaping @Sendable @isolated(any) (Failure) -> Void
  ) -> Promise {
    register(
      CatchStep<Value, Failure>.self, on: .isolated(to: onRejected.isolation, nowIfResolved, isolation),
      gate: token?.gate, .init(Isolation.unchecked(onRejected)))
  }
}

@usableFromInline
enum CatchStep<Input: Sendable, InputFailure: Sendable>: Observer {
  @usableFromInline typealias Callback = Reaction<InputFailure>
  @inlinable static var traits: Traits { [.takesPart, .onError] }

  @inlinable
  @inline(__always)
  static func runCallback(_ callback: Callback, _ input: PromiseResult<Input, InputFailure>) -> InputFailure? {
    if case .error(let error) = input { callback.call(error) }
    return nil
  }
}
