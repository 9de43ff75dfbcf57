extension Promise where Failure: Error {
  /// Continues with another promise, made from the value.
  ///
  /// A recursion through `flatMap` may go on for ever: no round adds to the stack or to the memory in use.
  ///
  /// ```swift
  /// let messages = logIn().flatMap(on: .utility) { user in
  ///   fetchMessages(for: user)
  /// }
  /// ```
  ///
  /// - Fulfils, fails, cancels: as the promise that `transform` returns; fails with what `transform` throws. Before
  ///   that, fails with this promise's error, and cancels when this promise is cancelled, or when `token` is
  ///   invalidated before `transform` runs. A request to cancel goes to the promise that is waited for, as one child's
  ///   vote.
  /// - Runs on: `context`.
  /// - Parameters:
  ///   - context: Where `transform` runs.
  ///   - token: Suppresses `transform` when it is invalidated.
  ///   - transform: Called with the value.
  @inlinable
  public func flatMap<U: Sendable>(
    on context: PromiseContext, token: PromiseInvalidationToken? = nil,
    _ transform: @escaping @Sendable (Value) throws(Failure) -> Promise<U, Failure>
  ) -> Promise<U, Failure> {
    observe(FlatMapStep<Value, Failure, U>.self, on: context, gate: token?.gate, .init(transform))
  }

  /// Continues with another promise, made from the value, where the closure belongs.
  ///
  /// Behaves as ``flatMap(on:token:_:)`` otherwise; leave out `isolation`, the caller's actor.
  ///
  /// - Runs on: the actor that `transform` belongs to, or `.auto` if it belongs to none. With `nowIfResolved`, inside
  ///   this call if the promise is resolved and the call is made there.
  @inlinable
  public func flatMap<U: Sendable>(
    nowIfResolved: Bool = false, token: PromiseInvalidationToken? = nil, isolation: (any Actor)? = #isolation,
    @_inheritActorContext(always) _ transform:
      @escaping @Sendable @isolated(any) (Value) throws(Failure) -> Promise<U, Failure>
  ) -> Promise<U, Failure> {
    flatMap(
      on: .here(transform.isolation, nowIfResolved, isolation), token: token, Isolation.uncheckedThrowing(transform))
  }
}

@usableFromInline
enum FlatMapStep<Value: Sendable, Failure: Error, U: Sendable>: Step {
  @usableFromInline
  struct Callback: Sendable {
    @usableFromInline let call: @Sendable (Value) throws(Failure) -> Promise<U, Failure>

    @inlinable
    init(_ call: @escaping @Sendable (Value) throws(Failure) -> Promise<U, Failure>) { self.call = call }
  }

  @inlinable static var traits: Traits { [.takesPart, .onValue] }

  @inlinable
  static func run(_ callback: Callback, _ input: PromiseResult<Value, Failure>) -> StepResult<U, Failure> {
    guard case .value(let value) = input else { return .result(pass(input)) }
    do throws(Failure) { return .promise(try callback.call(value)) } catch { return .thrown(error) }
  }
}
