public import OvermorrowEngine

extension Promise where Failure: Error {
  /// Runs a closure with the value.
  ///
  /// - Fulfils: with this promise's value. If `onFulfilled` runs, the returned promise is fulfilled after `onFulfilled`
  ///   has returned.
  /// - Fails: with this promise's error, or with the error that `onFulfilled` throws.
  /// - Cancels: if this promise is cancelled, or if `onFulfilled` throws `CancellationError`.
  /// - Runs on: `context`.
  /// - Order: after all observers that were registered earlier.
  /// - Parameters:
  ///   - context: The context on which `onFulfilled` runs.
  ///   - token: A token whose invalidation suppresses `onFulfilled`.
  ///   - onFulfilled: The closure to call with the value.
  /// - Returns: A new promise, which can be cancelled without affecting the other observers. Returns this promise
  ///   itself in two cases: if this promise is already rejected or cancelled, or if `onFulfilled` runs inside this call
  ///   on `.immediate` without throwing.
  @inlinable
  @discardableResult
  public func then(
    on context: PromiseContext, token: PromiseInvalidationToken? = nil,
    _ onFulfilled: @escaping @Sendable (Value) throws(Failure) -> Void
  ) -> Promise {
    observe(ThenStep<Value, Failure>.self, on: context, gate: token?.gate, .init(onFulfilled))
  }

  /// Runs a closure with the value, on the actor that the closure is isolated to.
  ///
  /// Otherwise, this behaves like ``then(on:token:_:)``. Omit `isolation`, because its default is the caller's actor.
  ///
  /// - Runs on: the actor that `onFulfilled` is isolated to, or `.auto` if it is isolated to none. `onFulfilled` runs
  ///   inside this call if `nowIfResolved` is `true`, the promise is resolved, and the caller has the same isolation.
  /// - Returns: A new promise, which can be cancelled without affecting the other observers.
  @inlinable
  @discardableResult
  public func then(
    nowIfResolved: Bool = false, token: PromiseInvalidationToken? = nil, isolation: (any Actor)? = #isolation,
    @_inheritActorContext(always) _ onFulfilled: @escaping @Sendable @isolated(any) (Value) throws(Failure) -> Void
  ) -> Promise {
    register(
      ThenStep<Value, Failure>.self, on: .isolated(to: onFulfilled.isolation, nowIfResolved, isolation),
      gate: token?.gate, .init(Isolation.uncheckedThrowing(onFulfilled)))
  }
}

@usableFromInline
enum ThenStep<Input: Sendable, InputFailure: Error>: Observer {
  @inlinable static var traits: Traits { [.takesPart, .onValue] }

  @usableFromInline
  struct Callback: Sendable {
    @usableFromInline let call: @Sendable (Input) throws(InputFailure) -> Void

    @inlinable
    init(_ call: @escaping @Sendable (Input) throws(InputFailure) -> Void) { self.call = call }
  }

  @inlinable
  @inline(__always)
  static func runCallback(_ callback: Callback, _ input: PromiseResult<Input, InputFailure>) -> InputFailure? {
    guard case .value(let value) = input else { return nil }
    do throws(InputFailure) { try callback.call(value) } catch { return error }
    return nil
  }

  @inlinable
  static func failing(with error: InputFailure) -> PromiseResult<Input, InputFailure> { .thrown(error) }
}
