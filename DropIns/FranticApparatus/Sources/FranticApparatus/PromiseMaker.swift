/// A builder of chains whose callbacks receive an object. The chains do not retain the object.
public final class PromiseMaker {
  /// Builds a chain and returns its last promise.
  ///
  /// - Parameters:
  ///   - dispatcher: The dispatcher that runs the callbacks; the main queue by default.
  ///   - context: The object that each callback receives. The chain does not retain the object. After the object has
  ///     been released, a step does not run its closure, and rejects its promise with
  ///     ``PromiseError/contextDeallocated``.
  ///   - builder: A closure that builds the chain. It receives a function that starts the chain.
  public static func makeUsing<Context, Value, InitialValue>(
    dispatcher: any Dispatcher = GCDDispatcher.main, context: Context,
    builder: (((Context) -> Promise<InitialValue>) -> PromiseMakerHelper<Context, InitialValue>) ->
      PromiseMakerHelper<Context, Value>
  ) -> Promise<Value> {
    builder { makePromise in
      PromiseMakerHelper(makePromise(context), context: context, dispatcher: dispatcher)
    }.promise
  }
}

/// An unfinished chain, with the object that its callbacks receive.
public final class PromiseMakerHelper<Context: AnyObject, Value> {
  let promise: Promise<Value>
  private weak var context: Context?
  private let dispatcher: any Dispatcher

  init(_ promise: Promise<Value>, context: Context?, dispatcher: any Dispatcher) {
    self.promise = promise
    self.context = context
    self.dispatcher = dispatcher
  }

  /// Adds a step that runs one of two closures with the outcome, and continues with the value or the promise that the
  /// closure returns.
  public func then<ResultingValue>(
    onFulfilled: @escaping (Context, Value) throws -> Result<ResultingValue>,
    onRejected: @escaping (Context, any Error) throws -> Result<ResultingValue>
  ) -> PromiseMakerHelper<Context, ResultingValue> {
    let next = promise.then(
      on: dispatcher,
      onFulfilled: { [weak context] value in
        guard let context else { throw PromiseError.contextDeallocated }
        return try onFulfilled(context, value)
      },
      onRejected: { [weak context] error in
        guard let context else { throw PromiseError.contextDeallocated }
        return try onRejected(context, error)
      })
    return PromiseMakerHelper<Context, ResultingValue>(next, context: context, dispatcher: dispatcher)
  }

  /// Adds a step that continues with the value or the promise that a closure returns for the value.
  public func whenFulfilledThenMap<ResultingValue>(
    _ map: @escaping (Context, Value) throws -> Result<ResultingValue>
  ) -> PromiseMakerHelper<Context, ResultingValue> {
    then(onFulfilled: map, onRejected: { _, error in throw error })
  }

  /// Adds a step that runs a closure with the value. An error that the closure throws replaces the value.
  public func whenFulfilled(
    _ thenDo: @escaping (Context, Value) throws -> Void
  ) -> PromiseMakerHelper<Context, Value> {
    whenFulfilledThenMap { context, value in
      try thenDo(context, value)
      return .value(value)
    }
  }

  /// Adds a step that transforms the value with a closure.
  public func whenFulfilledThenTransform<ResultingValue>(
    _ transform: @escaping (Context, Value) throws -> ResultingValue
  ) -> PromiseMakerHelper<Context, ResultingValue> {
    whenFulfilledThenMap { .value(try transform($0, $1)) }
  }

  /// Adds a step that continues with the promise that a closure returns for the value.
  public func whenFulfilledThenPromise<ResultingValue>(
    _ promise: @escaping (Context, Value) throws -> Promise<ResultingValue>
  ) -> PromiseMakerHelper<Context, ResultingValue> {
    whenFulfilledThenMap { .promise(try promise($0, $1)) }
  }

  /// Adds a step that passes a value on, and continues after an error with the value or the promise that a closure
  /// returns.
  public func whenRejectedThenMap(
    _ map: @escaping (Context, any Error) throws -> Result<Value>
  ) -> PromiseMakerHelper<Context, Value> {
    then(onFulfilled: { .value($1) }, onRejected: map)
  }

  /// Adds a step that runs a closure with the error. An error that the closure throws replaces the first error.
  public func whenRejected(
    _ thenDo: @escaping (Context, any Error) throws -> Void
  ) -> PromiseMakerHelper<Context, Value> {
    whenRejectedThenMap { context, error in
      try thenDo(context, error)
      throw error
    }
  }

  /// Adds a step that passes a value on, and replaces an error by the value that a closure returns.
  public func whenRejectedThenTransform(
    _ transform: @escaping (Context, any Error) throws -> Value
  ) -> PromiseMakerHelper<Context, Value> {
    whenRejectedThenMap { .value(try transform($0, $1)) }
  }

  /// Adds a step that passes a value on, and continues after an error with the promise that a closure returns.
  public func whenRejectedThenPromise(
    _ promise: @escaping (Context, any Error) throws -> Promise<Value>
  ) -> PromiseMakerHelper<Context, Value> {
    whenRejectedThenMap { .promise(try promise($0, $1)) }
  }

  /// Adds a step that runs a closure whatever the outcome, and passes the outcome on.
  public func whenComplete(_ thenDo: @escaping (Context) -> Void) -> PromiseMakerHelper<Context, Value> {
    then(
      onFulfilled: { context, value in
        thenDo(context)
        return .value(value)
      },
      onRejected: { context, error in
        thenDo(context)
        throw error
      })
  }
}
