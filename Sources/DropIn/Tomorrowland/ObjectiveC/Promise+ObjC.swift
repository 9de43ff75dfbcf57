#if canImport(OvermorrowObjC)
  public import Foundation
  public import Overmorrow
  public import OvermorrowObjC

  // Each of these follows the promise given without a hop: fulfilled, rejected and cancelled as that is, and a request
  // to cancel counts as one child's request. The closures run in the call that resolves that promise, or in this one.

  extension Promise where Value: AnyObject, Failure: AnyObject {
    /// A promise for one of Objective-C.
    public init(_ promise: ObjCPromise<Value, Failure>) { self.init(bridged: promise, { $0 }, { $0 }) }

    /// This promise for Objective-C.
    public func objc() -> ObjCPromise<Value, Failure> { bridged(self, { $0 }, { $0 }) }
  }

  extension Promise {
    /// A promise for one of Objective-C, with closures that make the value and the error.
    public init<T: AnyObject, E: AnyObject>(
      bridging promise: ObjCPromise<T, E>, mapValue: @escaping @Sendable (T) -> Value,
      mapError: @escaping @Sendable (E) -> Failure
    ) {
      self.init(bridged: promise, mapValue, mapError)
    }

    /// This promise for Objective-C, with closures that make objects of the value and the error.
    public func objc<T: AnyObject, E: AnyObject>(
      mapValue: @escaping @Sendable (Value) -> T, mapError: @escaping @Sendable (Failure) -> E
    ) -> ObjCPromise<T, E> {
      bridged(self, mapValue, mapError)
    }

    /// This promise for Objective-C, rejected with what the closures throw or with what `mapError` returns.
    @_disfavoredOverload
    public func objc<T: AnyObject>(
      mapValue: @escaping @Sendable (Value) throws -> T,
      mapError: @escaping @Sendable (Failure) throws -> any Swift.Error
    ) -> ObjCPromise<T, NSError> {
      bridged(self, throwing: mapValue, mapError)
    }
  }

  extension Promise where Value: AnyObject {
    /// A promise for one of Objective-C, with a closure that makes the error.
    public init<E: AnyObject>(
      bridging promise: ObjCPromise<Value, E>, mapError: @escaping @Sendable (E) -> Failure
    ) {
      self.init(bridged: promise, { $0 }, mapError)
    }

    /// This promise for Objective-C, with a closure that makes an object of the error.
    public func objc<E: AnyObject>(mapError: @escaping @Sendable (Failure) -> E) -> ObjCPromise<Value, E> {
      bridged(self, { $0 }, mapError)
    }

    /// This promise for Objective-C, rejected with what the closure throws or returns.
    @_disfavoredOverload
    public func objc(
      mapError: @escaping @Sendable (Failure) throws -> any Swift.Error
    ) -> ObjCPromise<Value, NSError> {
      bridged(self, throwing: { $0 }, mapError)
    }
  }

  extension Promise where Failure: AnyObject {
    /// A promise for one of Objective-C, with a closure that makes the value.
    public init<T: AnyObject>(
      bridging promise: ObjCPromise<T, Failure>, mapValue: @escaping @Sendable (T) -> Value
    ) {
      self.init(bridged: promise, mapValue, { $0 })
    }

    /// This promise for Objective-C, with a closure that makes an object of the value.
    public func objc<T: AnyObject>(mapValue: @escaping @Sendable (Value) -> T) -> ObjCPromise<T, Failure> {
      bridged(self, mapValue, { $0 })
    }
  }

  extension Promise where Failure == any Swift.Error {
    /// A promise for one of Objective-C, which fails with what the closures throw or with what `mapError` returns.
    public init<T: AnyObject, E: AnyObject>(
      bridging promise: ObjCPromise<T, E>, mapValue: @escaping @Sendable (T) throws -> Value,
      mapError: @escaping @Sendable (E) throws -> any Swift.Error
    ) {
      self.init(bridged: promise, throwing: mapValue, mapError)
    }

    /// A promise for one of Objective-C, which fails with what the closure throws, too.
    public init<T: AnyObject>(
      bridging promise: ObjCPromise<T, NSError>, mapValue: @escaping @Sendable (T) throws -> Value
    ) {
      self.init(bridged: promise, throwing: mapValue, { $0 })
    }

    /// This promise for Objective-C, rejected with what the closure throws, too.
    public func objc<T: AnyObject>(mapValue: @escaping @Sendable (Value) throws -> T) -> ObjCPromise<T, NSError> {
      bridged(self, throwing: mapValue, { $0 })
    }
  }

  extension Promise where Value: AnyObject, Failure == any Swift.Error {
    /// A promise for one of Objective-C.
    public init(bridging promise: ObjCPromise<Value, NSError>) { self.init(bridged: promise, throwing: { $0 }, { $0 }) }

    /// This promise for Objective-C.
    public func objc() -> ObjCPromise<Value, NSError> { bridged(self, throwing: { $0 }, { $0 }) }
  }
#endif
