public import OvermorrowEngine

extension Promise where Failure: Error {
  /// Continues with the promise that a closure makes from the value.
  ///
  /// A function may call itself through `flatMap` any number of times: the stack and the memory in use do not grow.
  ///
  /// ```swift
  /// let messages = logIn().flatMap(on: .utility) { user in
  ///   fetchMessages(for: user)
  /// }
  /// ```
  ///
  /// - Fulfils, fails, cancels: with the result of the promise that `transform` returns. Also fails if this promise
  ///   fails, or if `transform` throws an error. Also cancels if this promise is cancelled, if `transform` throws
  ///   `CancellationError`, or if `token` suppresses `transform`. A request to cancel withdraws one vote on this
  ///   promise or, after `transform` has run, on the promise that `transform` returned.
  /// - Runs on: `context`.
  /// - Parameters:
  ///   - context: The context on which `transform` runs.
  ///   - token: A token whose invalidation suppresses `transform`.
  ///   - transform: The closure to call with the value.
  @inlinable
  public func flatMap<U: Sendable>(
    on context: PromiseContext, token: PromiseInvalidationToken? = nil,
    _ transform: @escaping @Sendable (Value) throws(Failure) -> Promise<U, Failure>
  ) -> Promise<U, Failure> {
    observe(FlatMapStep<Value, Failure, U>.self, on: context, gate: token?.gate, .init(transform))
  }

  /// Continues with the promise that a closure makes from the value, on the actor that the closure is isolated to.
  ///
  /// Otherwise, this behaves like ``flatMap(on:token:_:)``. Omit `isolation`, because its default is the caller's
  /// actor.
  ///
  /// - Runs on: the actor that `transform` is isolated to, or `.auto` if it is isolated to none. `transform` runs
  ///   inside this call if `nowIfResolved` is `true`, the promise is resolved, and the caller has the same isolation.
  @inlinable
  public func flatMap<U: Sendable>(
    nowIfResolved: Bool = false, token: PromiseInvalidationToken? = nil, isolation: (any Actor)? = #isolation,
    @_inheritActorContext(always) _ transform:
      @escaping @Sendable @isolated(any) (Value) throws(Failure) -> Promise<U, Failure>
  ) -> Promise<U, Failure> {
    flatMap(
      on: .isolated(to: transform.isolation, nowIfResolved, isolation), token: token,
      Isolation.uncheckedThrowing(transform))
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
  static func run(_ callback: Callback, _ input: PromiseResult<Value, Failure>) -> PromiseStepResult<U, Failure> {
    guard case .value(let value) = input else { return .result(forward(input)) }
    do throws(Failure) { return .promise(try callback.call(value)) } catch { return .thrown(error) }
  }
}
