/// Makes chains whose callbacks get an object that the chain does not keep.
public final class PromiseMaker {
  /// The promise at the end of a chain.
  ///
  /// - Parameters:
  ///   - dispatcher: Where the callbacks run.
  ///   - context: Handed to each callback, and not kept. A step that finds it gone rejects with
  ///     ``PromiseError/contextDeallocated``.
  ///   - builder: Makes the chain: gets a function that makes its start.
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

/// A chain in the making, bound to an object.
public final class PromiseMakerHelper<Context: AnyObject, Value> {
  let promise: Promise<Value>
  private weak var context: Context?
  private let dispatcher: any Dispatcher

  init(_ promise: Promise<Value>, context: Context?, dispatcher: any Dispatcher) {
    self.promise = promise
    self.context = context
    self.dispatcher = dispatcher
  }

  /// A step with what one of two closures makes of the outcome.
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

  /// A step with what a closure makes of the value: a value, or what a promise resolves to.
  public func whenFulfilledThenMap<ResultingValue>(
    _ map: @escaping (Context, Value) throws -> Result<ResultingValue>
  ) -> PromiseMakerHelper<Context, ResultingValue> {
    then(onFulfilled: map, onRejected: { _, error in throw error })
  }

  /// A step that runs a closure with the value; what it throws replaces the value.
  public func whenFulfilled(
    _ thenDo: @escaping (Context, Value) throws -> Void
  ) -> PromiseMakerHelper<Context, Value> {
    whenFulfilledThenMap { context, value in
      try thenDo(context, value)
      return .value(value)
    }
  }

  /// A step with what a closure makes of the value.
  public func whenFulfilledThenTransform<ResultingValue>(
    _ transform: @escaping (Context, Value) throws -> ResultingValue
  ) -> PromiseMakerHelper<Context, ResultingValue> {
    whenFulfilledThenMap { .value(try transform($0, $1)) }
  }

  /// A step with what the promise that a closure makes of the value resolves to.
  public func whenFulfilledThenPromise<ResultingValue>(
    _ promise: @escaping (Context, Value) throws -> Promise<ResultingValue>
  ) -> PromiseMakerHelper<Context, ResultingValue> {
    whenFulfilledThenMap { .promise(try promise($0, $1)) }
  }

  /// A step with the value, or what a closure makes of the error: a value, or what a promise resolves to.
  public func whenRejectedThenMap(
    _ map: @escaping (Context, any Error) throws -> Result<Value>
  ) -> PromiseMakerHelper<Context, Value> {
    then(onFulfilled: { .value($1) }, onRejected: map)
  }

  /// A step that runs a closure with the error; what it throws replaces the error.
  public func whenRejected(
    _ thenDo: @escaping (Context, any Error) throws -> Void
  ) -> PromiseMakerHelper<Context, Value> {
    whenRejectedThenMap { context, error in
      try thenDo(context, error)
      throw error
    }
  }

  /// A step with the value, or what a closure makes of the error.
  public func whenRejectedThenTransform(
    _ transform: @escaping (Context, any Error) throws -> Value
  ) -> PromiseMakerHelper<Context, Value> {
    whenRejectedThenMap { .value(try transform($0, $1)) }
  }

  /// A step with the value, or what the promise that a closure makes of the error resolves to.
  public func whenRejectedThenPromise(
    _ promise: @escaping (Context, any Error) throws -> Promise<Value>
  ) -> PromiseMakerHelper<Context, Value> {
    whenRejectedThenMap { .promise(try promise($0, $1)) }
  }

  /// A step that runs a closure whatever the outcome.
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
