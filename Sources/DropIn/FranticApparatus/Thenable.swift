/// Something whose outcome can be waited for.
public protocol Thenable: AnyObject {
  /// What it is fulfilled with.
  associatedtype Value

  /// A promise for what one of two closures makes of the outcome.
  func then<ResultingValue>(
    on dispatcher: any Dispatcher, onFulfilled: @escaping (Value) throws -> Result<ResultingValue>,
    onRejected: @escaping (any Error) throws -> Result<ResultingValue>
  ) -> Promise<ResultingValue>
}

extension Thenable {
  /// A promise for what a closure makes of the value: a value, or what a promise resolves to.
  public func whenFulfilledThenMap<ResultingValue>(
    on dispatcher: any Dispatcher, map: @escaping (Value) throws -> Result<ResultingValue>
  ) -> Promise<ResultingValue> {
    then(on: dispatcher, onFulfilled: map, onRejected: { throw $0 })
  }

  /// Runs a closure with the value; what it throws replaces the value.
  public func whenFulfilled(on dispatcher: any Dispatcher, thenDo: @escaping (Value) throws -> Void) -> Promise<Value> {
    whenFulfilledThenMap(on: dispatcher) { value in
      try thenDo(value)
      return .value(value)
    }
  }

  /// A promise for what a closure makes of the value.
  public func whenFulfilledThenTransform<ResultingValue>(
    on dispatcher: any Dispatcher, transform: @escaping (Value) throws -> ResultingValue
  ) -> Promise<ResultingValue> {
    whenFulfilledThenMap(on: dispatcher) { .value(try transform($0)) }
  }

  /// A promise for what the promise that a closure makes of the value resolves to.
  public func whenFulfilledThenPromise<ResultingValue>(
    on dispatcher: any Dispatcher, promise: @escaping (Value) throws -> Promise<ResultingValue>
  ) -> Promise<ResultingValue> {
    whenFulfilledThenMap(on: dispatcher) { .promise(try promise($0)) }
  }

  /// A promise for the value, or what a closure makes of the error: a value, or what a promise resolves to.
  public func whenRejectedThenMap(
    on dispatcher: any Dispatcher, map: @escaping (any Error) throws -> Result<Value>
  ) -> Promise<Value> {
    then(on: dispatcher, onFulfilled: { .value($0) }, onRejected: map)
  }

  /// Runs a closure with the error; what it throws replaces the error.
  public func whenRejected(
    on dispatcher: any Dispatcher, thenDo: @escaping (any Error) throws -> Void
  ) -> Promise<Value> {
    whenRejectedThenMap(on: dispatcher) { error in
      try thenDo(error)
      throw error
    }
  }

  /// A promise for the value, or what a closure makes of the error.
  public func whenRejectedThenTransform(
    on dispatcher: any Dispatcher, transform: @escaping (any Error) throws -> Value
  ) -> Promise<Value> {
    whenRejectedThenMap(on: dispatcher) { .value(try transform($0)) }
  }

  /// A promise for the value, or what the promise that a closure makes of the error resolves to.
  public func whenRejectedThenPromise(
    on dispatcher: any Dispatcher, promise: @escaping (any Error) throws -> Promise<Value>
  ) -> Promise<Value> {
    whenRejectedThenMap(on: dispatcher) { .promise(try promise($0)) }
  }

  /// Runs a closure whatever the outcome.
  public func whenComplete(on dispatcher: any Dispatcher, thenDo: @escaping () -> Void) -> Promise<Value> {
    then(
      on: dispatcher,
      onFulfilled: { value in
        thenDo()
        return .value(value)
      },
      onRejected: { error in
        thenDo()
        throw error
      })
  }
}
