/// An object that has an outcome, now or later.
public protocol Thenable: AnyObject {
  /// The type of the value.
  associatedtype Value

  /// Runs one of two closures with the outcome, and continues with the value or the promise that the closure returns.
  func then<ResultingValue>(
    on dispatcher: any Dispatcher, onFulfilled: @escaping (Value) throws -> Result<ResultingValue>,
    onRejected: @escaping (any Error) throws -> Result<ResultingValue>
  ) -> Promise<ResultingValue>
}

extension Thenable {
  /// Continues with the value or the promise that a closure returns for the value.
  public func whenFulfilledThenMap<ResultingValue>(
    on dispatcher: any Dispatcher, map: @escaping (Value) throws -> Result<ResultingValue>
  ) -> Promise<ResultingValue> {
    then(on: dispatcher, onFulfilled: map, onRejected: { throw $0 })
  }

  /// Runs a closure with the value. An error that the closure throws replaces the value.
  public func whenFulfilled(on dispatcher: any Dispatcher, thenDo: @escaping (Value) throws -> Void) -> Promise<Value> {
    whenFulfilledThenMap(on: dispatcher) { value in
      try thenDo(value)
      return .value(value)
    }
  }

  /// Transforms the value with a closure.
  public func whenFulfilledThenTransform<ResultingValue>(
    on dispatcher: any Dispatcher, transform: @escaping (Value) throws -> ResultingValue
  ) -> Promise<ResultingValue> {
    whenFulfilledThenMap(on: dispatcher) { .value(try transform($0)) }
  }

  /// Continues with the promise that a closure returns for the value.
  public func whenFulfilledThenPromise<ResultingValue>(
    on dispatcher: any Dispatcher, promise: @escaping (Value) throws -> Promise<ResultingValue>
  ) -> Promise<ResultingValue> {
    whenFulfilledThenMap(on: dispatcher) { .promise(try promise($0)) }
  }

  /// Passes a value on, and continues after an error with the value or the promise that a closure returns.
  public func whenRejectedThenMap(
    on dispatcher: any Dispatcher, map: @escaping (any Error) throws -> Result<Value>
  ) -> Promise<Value> {
    then(on: dispatcher, onFulfilled: { .value($0) }, onRejected: map)
  }

  /// Runs a closure with the error. An error that the closure throws replaces the first error.
  public func whenRejected(
    on dispatcher: any Dispatcher, thenDo: @escaping (any Error) throws -> Void
  ) -> Promise<Value> {
    whenRejectedThenMap(on: dispatcher) { error in
      try thenDo(error)
      throw error
    }
  }

  /// Passes a value on, and replaces an error by the value that a closure returns.
  public func whenRejectedThenTransform(
    on dispatcher: any Dispatcher, transform: @escaping (any Error) throws -> Value
  ) -> Promise<Value> {
    whenRejectedThenMap(on: dispatcher) { .value(try transform($0)) }
  }

  /// Passes a value on, and continues after an error with the promise that a closure returns.
  public func whenRejectedThenPromise(
    on dispatcher: any Dispatcher, promise: @escaping (any Error) throws -> Promise<Value>
  ) -> Promise<Value> {
    whenRejectedThenMap(on: dispatcher) { .promise(try promise($0)) }
  }

  /// Runs a closure whatever the outcome, and passes the outcome on.
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
