#if canImport(OvermorrowObjC)
  internal import COvermorrow
  internal import Foundation
  internal import Overmorrow
  internal import OvermorrowC
  @_exported public import OvermorrowObjC

  // Converts promises between Swift and Objective-C. The conversions pass promises as handles of the C interface.

  /// Returns an Objective-C promise that follows a Swift promise.
  func bridged<Value, Failure, T: AnyObject, E: AnyObject>(
    _ promise: Promise<Value, Failure>, _ mapValue: @escaping @Sendable (Value) -> T,
    _ mapError: @escaping @Sendable (Failure) -> E
  ) -> ObjCPromise<T, E> {
    let foreign = promise.foreign(
      mapValue: { ForeignObject(retaining: mapValue($0)) }, mapError: { ForeignObject(retaining: mapError($0)) })
    // Unsafe: this function owns the handle until its end, and the objects have the types of the promise returned.
    let handle = unsafe foreign.retainedHandle()
    defer { unsafe ovm_promise_release(handle) }
    return unsafe ObjCPromise<T, E>(handle: handle)
  }

  /// Returns an Objective-C promise that follows a Swift promise. If a closure throws, the promise returned is rejected
  /// with the error thrown.
  func bridged<Value, Failure, T: AnyObject>(
    _ promise: Promise<Value, Failure>, throwing mapValue: @escaping @Sendable (Value) throws -> T,
    _ mapError: @escaping @Sendable (Failure) throws -> any Swift.Error
  ) -> ObjCPromise<T, NSError> {
    let mapped: Promise<Kept<T>, any Swift.Error> = PromiseAdapter.transformResult(promise, on: .immediate, token: nil)
    { result in
      converted { try result.map { Kept(object: try mapValue($0)) }.mapError { try mapError($0) } }
    }
    return bridged(mapped, { $0.object }, { $0 as NSError })
  }

  extension Promise {
    /// Creates a Swift promise that follows an Objective-C promise.
    init<T: AnyObject, E: AnyObject>(
      bridged promise: ObjCPromise<T, E>, _ mapValue: @escaping @Sendable (T) -> Value,
      _ mapError: @escaping @Sendable (E) -> Failure
    ) {
      // Unsafe: the promise retains its handle during this call.
      let foreign = withExtendedLifetime(promise) { unsafe ForeignPromise(handle: promise.handle) }
      self.init(foreign: foreign, mapValue: { mapValue($0.cast()) }, mapError: { mapError($0.cast()) })
    }
  }

  extension Promise where Failure == any Swift.Error {
    /// Creates a Swift promise that follows an Objective-C promise. If a closure throws, the new promise is rejected
    /// with the error thrown.
    init<T: AnyObject, E: AnyObject>(
      bridged promise: ObjCPromise<T, E>, throwing mapValue: @escaping @Sendable (T) throws -> Value,
      _ mapError: @escaping @Sendable (E) throws -> any Swift.Error
    ) {
      let objects = Promise<Kept<T>, Kept<E>>(bridged: promise, { Kept(object: $0) }, { Kept(object: $0) })
      self = PromiseAdapter.transformResult(objects, on: .immediate, token: nil) { result in
        converted { try result.map { try mapValue($0.object) }.mapError { try mapError($0.object) } }
      }
    }
  }

  /// Returns the result of a conversion, or the error that the conversion throws.
  private func converted<Value>(
    _ conversion: () throws -> PromiseResult<Value, any Swift.Error>
  ) -> PromiseStepResult<Value, any Swift.Error> {
    do { return .result(try conversion()) } catch { return .error(error) }
  }

  /// A container that carries an object from one promise to the next.
  private struct Kept<Object: AnyObject>: @unchecked Sendable {
    // Sendable because Objective-C promises pass their objects to any thread, and leave thread safety to the code that
    // uses the objects.
    let object: Object
  }

  extension ForeignObject {
    /// Returns the object, cast to the type that the promise declares.
    fileprivate func cast<T: AnyObject>() -> T {
      guard let object = object as? T else {
        preconditionFailure(
          "an Objective-C promise was declared to hold \(T.self), but holds \(object.map { "\($0)" } ?? "nil")")
      }
      return object
    }
  }
#endif
