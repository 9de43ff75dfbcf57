public import OvermorrowEngine

/// The functions with which an adapter builds the operators of another library.
///
/// An adapter declares the promises and operators of another library, and implements them with promises of Overmorrow.
/// The public operators suffice for most of this. The functions of this type are for the rest: operators of any failure
/// type that always return a new promise, closures of any isolation, and promises whose resolvers the diagnostics leave
/// to the adapter. They are not for programs. See <doc:WritingAnAdapter>.
public enum PromiseAdapter {
  /// Creates an unresolved promise and its resolver. The diagnostics do not report what happens to the resolver,
  /// because the adapter reports the mistakes of its own users.
  @inlinable
  public static func makePromise<Value, Failure>(
    of value: Value.Type = Value.self, failure: Failure.Type = Failure.self
  ) -> (promise: Promise<Value, Failure>, resolver: Promise<Value, Failure>.Resolver) {
    let (promise, resolver) = Promise<Value, Failure>.makeForLibrary(at: CallSite(#fileID, #line))
    return (promise, resolver)
  }

  /// Returns whether the promise of a resolver has no result yet.
  @inlinable
  @inline(__always)  // otherwise the generic code of an adapter would ask the runtime for the metadata of its types
  public static func isUnresolved<Value, Failure>(_ resolver: Promise<Value, Failure>.Resolver) -> Bool {
    resolver.isUnresolved
  }

  /// Rejects the promise of a resolver when the promise is asked to cancel. This costs less than a handler of
  /// `onRequestCancel`.
  @inlinable
  public static func rejectOnRequestCancel<Value, Failure>(
    _ resolver: Promise<Value, Failure>.Resolver, with error: Failure
  ) {
    resolver.rejectOnRequestCancel(with: error)
  }

  /// Registers a handler like `Resolver.onRequestCancel(on:_:)`, and keeps the promise unresolved for the handler even
  /// if all copies of the resolver are released.
  ///
  /// This lasts until the promise is asked to cancel, and the handlers have run, or until the last copy of the promise
  /// is released. If nothing has resolved the promise by then, the promise is cancelled.
  public static func onRequestCancelWhileHeld<Value, Failure>(
    _ resolver: Promise<Value, Failure>.Resolver, on context: PromiseContext,
    _ callback: @escaping @Sendable (Promise<Value, Failure>.Resolver) -> Void
  ) {
    resolver.onRequestCancel(on: context, keepingResolver: true, callback)
  }

  /// Returns a number that no other promise that exists at the same time has. An operator finds out with it whether its
  /// closure returned the operator's own promise.
  @inlinable
  public static func address<Value, Failure>(of promise: Promise<Value, Failure>) -> UInt { promise.address }
}

// Operators. A public operator of `Promise` may return the promise on which it is called. However, programs that were
// written for other libraries compare promises, and expect a new promise from each operator. So each of these functions
// returns a new promise.

extension PromiseAdapter {
  /// Continues with the result or the promise that a closure makes from the value.
  ///
  /// - Parameters:
  ///   - promise: The promise whose value is transformed. Its error passes on.
  ///   - context: The context on which the closure runs. It is not used for an error.
  ///   - token: The token whose invalidation cancels the promise returned.
  ///   - transform: The closure.
  @inlinable
  public static func transformValue<Value, Failure, U>(
    _ promise: Promise<Value, Failure>, on context: PromiseContext, token: PromiseInvalidationToken?,
    _ transform: @escaping @Sendable (Value) -> PromiseStepResult<U, Failure>
  ) -> Promise<U, Failure> {
    promise.observe(ValueTransform<Value, Failure, U>.self, on: context, gate: token?.gate, transform)
  }

  /// Continues with the result or the promise that a closure makes from the value.
  ///
  /// - Parameters:
  ///   - promise: The promise whose value is transformed. Its error passes on.
  ///   - context: The context on which the closure runs. It is not used for an error.
  ///   - transform: Makes the closure from the ``address(of:)`` of the promise returned. The closure need not be
  ///     `Sendable`, because it moves from one thread to the next and is never shared.
  @inlinable
  public static func transformValue<Value, Failure, U>(
    _ promise: Promise<Value, Failure>, on context: PromiseContext,
    _ transform: (_ address: UInt) -> (Value) -> PromiseStepResult<U, Failure>
  ) -> Promise<U, Failure> {
    promise.register(ValueTransform<Value, Failure, U>.self, on: context) { Isolation.sent(transform($0)) }
  }

  /// Continues with the result or the promise that a closure makes from the error.
  ///
  /// - Parameters:
  ///   - promise: The promise whose error is transformed. Its value passes on.
  ///   - context: The context on which the closure runs. It is not used for a value.
  ///   - token: The token whose invalidation cancels the promise returned.
  ///   - transform: The closure.
  @inlinable
  public static func transformError<Value, Failure, E>(
    _ promise: Promise<Value, Failure>, on context: PromiseContext, token: PromiseInvalidationToken?,
    _ transform: @escaping @Sendable (Failure) -> PromiseStepResult<Value, E>
  ) -> Promise<Value, E> {
    promise.observe(ErrorTransform<Value, Failure, E>.self, on: context, gate: token?.gate, transform)
  }

  /// Continues with the result or the promise that a closure makes from the error.
  ///
  /// - Parameters:
  ///   - promise: The promise whose error is transformed. Its value passes on.
  ///   - context: The context on which the closure runs. It is not used for a value.
  ///   - transform: Makes the closure from the ``address(of:)`` of the promise returned. The closure need not be
  ///     `Sendable`, because it moves from one thread to the next and is never shared.
  @inlinable
  public static func transformError<Value, Failure, E>(
    _ promise: Promise<Value, Failure>, on context: PromiseContext,
    _ transform: (_ address: UInt) -> (Failure) -> PromiseStepResult<Value, E>
  ) -> Promise<Value, E> {
    promise.register(ErrorTransform<Value, Failure, E>.self, on: context) { Isolation.sent(transform($0)) }
  }

  /// Continues with the result or the promise that a closure makes from the result.
  ///
  /// - Parameters:
  ///   - promise: The promise whose result is transformed.
  ///   - context: The context on which the closure runs.
  ///   - token: The token whose invalidation cancels the promise returned.
  ///   - transform: The closure. It is called for a cancelled promise, too.
  @inlinable
  public static func transformResult<Value, Failure, U, E>(
    _ promise: Promise<Value, Failure>, on context: PromiseContext, token: PromiseInvalidationToken?,
    _ transform: @escaping @Sendable (PromiseResult<Value, Failure>) -> PromiseStepResult<U, E>
  ) -> Promise<U, E> {
    promise.observe(ResultTransform<Value, Failure, U, E>.self, on: context, gate: token?.gate, transform)
  }

  /// Runs a closure with the value, and passes the result on.
  ///
  /// - Parameters:
  ///   - promise: The promise whose value is observed.
  ///   - context: The context on which the closure runs. It is not used for another result.
  ///   - token: The token whose invalidation suppresses the closure. The result still passes on.
  ///   - callback: The closure. If it returns an error, the promise returned is rejected with this error.
  @inlinable
  public static func observeValue<Value, Failure>(
    _ promise: Promise<Value, Failure>, on context: PromiseContext, token: PromiseInvalidationToken?,
    _ callback: @escaping @Sendable (Value) -> Failure?
  ) -> Promise<Value, Failure> {
    promise.register(ValueObserver<Value, Failure>.self, on: context, gate: token?.gate, callback)
  }
}
