#if canImport(OvermorrowObjC)
  public import Foundation
  public import Overmorrow
  public import OvermorrowObjC

  // Each of these declarations makes a promise that follows another promise without a submission to a context. The new
  // promise is fulfilled, rejected or cancelled with the promise that it follows. A request to cancel the new promise
  // withdraws one vote on the promise that it follows. If the promise followed is unresolved, the closures that
  // transform its value or its error run inside the call that resolves it. If it is already resolved, those closures
  // run inside the call that makes the new promise.

  extension Promise where Value: AnyObject, Failure: AnyObject {
    /// Creates a promise that follows an Objective-C promise.
    public init(_ promise: ObjCPromise<Value, Failure>) { self.init(bridged: promise, { $0 }, { $0 }) }

    /// Returns an Objective-C promise that follows this promise.
    public func objc() -> ObjCPromise<Value, Failure> { bridged(self, { $0 }, { $0 }) }
  }

  extension Promise {
    /// Creates a promise that follows an Objective-C promise, and transforms the value and the error with closures.
    public init<T: AnyObject, E: AnyObject>(
      bridging promise: ObjCPromise<T, E>, mapValue: @escaping @Sendable (T) -> Value,
      mapError: @escaping @Sendable (E) -> Failure
    ) {
      self.init(bridged: promise, mapValue, mapError)
    }

    /// Returns an Objective-C promise that follows this promise, and transforms the value and the error with closures.
    public func objc<T: AnyObject, E: AnyObject>(
      mapValue: @escaping @Sendable (Value) -> T, mapError: @escaping @Sendable (Failure) -> E
    ) -> ObjCPromise<T, E> {
      bridged(self, mapValue, mapError)
    }

    /// Returns an Objective-C promise that follows this promise. The new promise is rejected with the error that a
    /// closure throws or that `mapError` returns.
    @_disfavoredOverload
    public func objc<T: AnyObject>(
      mapValue: @escaping @Sendable (Value) throws -> T,
      mapError: @escaping @Sendable (Failure) throws -> any Swift.Error
    ) -> ObjCPromise<T, NSError> {
      bridged(self, throwing: mapValue, mapError)
    }
  }

  extension Promise where Value: AnyObject {
    /// Creates a promise that follows an Objective-C promise, and transforms the error with a closure.
    public init<E: AnyObject>(
      bridging promise: ObjCPromise<Value, E>, mapError: @escaping @Sendable (E) -> Failure
    ) {
      self.init(bridged: promise, { $0 }, mapError)
    }

    /// Returns an Objective-C promise that follows this promise, and transforms the error with a closure.
    public func objc<E: AnyObject>(mapError: @escaping @Sendable (Failure) -> E) -> ObjCPromise<Value, E> {
      bridged(self, { $0 }, mapError)
    }

    /// Returns an Objective-C promise that follows this promise. The new promise is rejected with the error that the
    /// closure throws or returns.
    @_disfavoredOverload
    public func objc(
      mapError: @escaping @Sendable (Failure) throws -> any Swift.Error
    ) -> ObjCPromise<Value, NSError> {
      bridged(self, throwing: { $0 }, mapError)
    }
  }

  extension Promise where Failure: AnyObject {
    /// Creates a promise that follows an Objective-C promise, and transforms the value with a closure.
    public init<T: AnyObject>(
      bridging promise: ObjCPromise<T, Failure>, mapValue: @escaping @Sendable (T) -> Value
    ) {
      self.init(bridged: promise, mapValue, { $0 })
    }

    /// Returns an Objective-C promise that follows this promise, and transforms the value with a closure.
    public func objc<T: AnyObject>(mapValue: @escaping @Sendable (Value) -> T) -> ObjCPromise<T, Failure> {
      bridged(self, mapValue, { $0 })
    }
  }

  extension Promise where Failure == any Swift.Error {
    /// Creates a promise that follows an Objective-C promise, and transforms the value and the error with closures. The
    /// new promise is rejected with the error that a closure throws or that `mapError` returns.
    public init<T: AnyObject, E: AnyObject>(
      bridging promise: ObjCPromise<T, E>, mapValue: @escaping @Sendable (T) throws -> Value,
      mapError: @escaping @Sendable (E) throws -> any Swift.Error
    ) {
      self.init(bridged: promise, throwing: mapValue, mapError)
    }

    /// Creates a promise that follows an Objective-C promise, and transforms the value with a closure. If the closure
    /// throws, the new promise is rejected with the error thrown.
    public init<T: AnyObject>(
      bridging promise: ObjCPromise<T, NSError>, mapValue: @escaping @Sendable (T) throws -> Value
    ) {
      self.init(bridged: promise, throwing: mapValue, { $0 })
    }

    /// Returns an Objective-C promise that follows this promise, and transforms the value with a closure. If the
    /// closure throws, the new promise is rejected with the error thrown.
    public func objc<T: AnyObject>(mapValue: @escaping @Sendable (Value) throws -> T) -> ObjCPromise<T, NSError> {
      bridged(self, throwing: mapValue, { $0 })
    }
  }

  extension Promise where Value: AnyObject, Failure == any Swift.Error {
    /// Creates a promise that follows an Objective-C promise.
    public init(bridging promise: ObjCPromise<Value, NSError>) { self.init(bridged: promise, throwing: { $0 }, { $0 }) }

    /// Returns an Objective-C promise that follows this promise.
    public func objc() -> ObjCPromise<Value, NSError> { bridged(self, throwing: { $0 }, { $0 }) }
  }
#endif
