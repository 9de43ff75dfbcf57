extension Promise where Failure: Error {
  /// Runs a closure with the value.
  ///
  /// - Fulfils: with this promise's value, after `onFulfilled` has returned.
  /// - Fails: with this promise's error, or with what `onFulfilled` throws.
  /// - Cancels: when this promise is cancelled.
  /// - Runs on: `context`.
  /// - Order: after the observers registered before it.
  /// - Parameters:
  ///   - context: Where `onFulfilled` runs.
  ///   - token: Suppresses `onFulfilled` when it is invalidated.
  ///   - onFulfilled: Called with the value.
  /// - Returns: A new promise, so that cancelling it leaves the other observers alone; or this one, if it is resolved
  ///   and nothing is left to wait for.
  @inlinable
  @discardableResult
  public func then(
    on context: PromiseContext, token: PromiseInvalidationToken? = nil,
    _ onFulfilled: @escaping @Sendable (Value) throws(Failure) -> Void
  ) -> Promise {
    observe(ThenStep<Value, Failure>.self, on: context, gate: token?.gate, .init(onFulfilled))
  }

  /// Runs a closure with the value, where the closure belongs.
  ///
  /// Behaves as ``then(on:token:_:)`` otherwise; leave out `isolation`, the caller's actor.
  ///
  /// - Runs on: the actor that `onFulfilled` belongs to, or `.auto` if it belongs to none. With `nowIfResolved`, inside
  ///   this call if the promise is resolved and the call is made there.
  /// - Returns: A new promise, so that cancelling it leaves the other observers alone.
  @inlinable
  @discardableResult
  public func then(
    nowIfResolved: Bool = false, token: PromiseInvalidationToken? = nil, isolation: (any Actor)? = #isolation,
    @_inheritActorContext(always) _ onFulfilled: @escaping @Sendable @isolated(any) (Value) throws(Failure) -> Void
  ) -> Promise {
    register(
      ThenStep<Value, Failure>.self, on: .here(onFulfilled.isolation, nowIfResolved, isolation),
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
  static func look(_ callback: Callback, _ input: PromiseResult<Input, InputFailure>) -> InputFailure? {
    guard case .value(let value) = input else { return nil }
    do throws(InputFailure) { try callback.call(value) } catch { return error }
    return nil
  }

  @inlinable
  static func ending(with error: InputFailure) -> PromiseResult<Input, InputFailure> { .thrown(error) }
}
