public import Dispatch
import Overmorrow
public import OvermorrowFoundation
internal import TomorrowlandBase

// Code can use these declarations as functions under plain names, such as `Promise<Int, Never>.init(on:_:)`. For a
// call, the compiler prefers other declarations, which have further parameters for the place of the call. Those other
// declarations have no plain names: their further parameters have default values, but are part of their names.

extension Promise {
  /// Creates a promise that a closure resolves. The diagnostics do not show where the promise was made.
  ///
  /// - Parameters:
  ///   - context: The context that runs the closure.
  ///   - handler: The closure that does the work and resolves the promise through the resolver.
  @_disfavoredOverload
  public init(on context: PromiseContext, _ handler: @escaping @Sendable (_ resolver: Resolver) -> Void) {
    self.init(running: handler, on: context, fileID: #fileID, line: 0)
  }
}

extension Promise where Failure == any Swift.Error {
  /// Creates a promise that a closure resolves. An error that the closure throws rejects the promise. The diagnostics
  /// do not show where the promise was made.
  ///
  /// - Parameters:
  ///   - context: The context that runs the closure.
  ///   - handler: The closure that does the work. It resolves the promise through the resolver, or throws.
  @_disfavoredOverload
  public init(on context: PromiseContext, _ handler: @escaping @Sendable (_ resolver: Resolver) throws -> Void) {
    self.init(on: context, fileID: #fileID, line: 0, handler)
  }
}

extension Promise {
  /// Calls a closure with this promise, and returns the promise.
  ///
  /// - Parameter handler: The closure to call with this promise. It runs before this method returns.
  /// - Returns: This promise.
  @_disfavoredOverload
  public func fork(_ handler: (Promise) throws -> Void) rethrows -> Promise {
    try handler(self)
    return self
  }
}

extension OvermorrowFoundation.PromiseOperation {
  /// Creates an operation. The closure runs when the operation is started. The diagnostics do not show where the
  /// promise was made.
  ///
  /// - Parameters:
  ///   - context: The context that runs the closure.
  ///   - handler: The closure that does the work and resolves the promise through the resolver.
  @_disfavoredOverload
  public convenience init(on context: PromiseContext, _ handler: @escaping @Sendable (_ resolver: Resolver) -> Void) {
    self.init(running: handler, on: context, fileID: #fileID, line: 0)
  }
}

extension LazyPromise {
  /// Creates a lazy promise. The closure runs when the property `promise` is first read. The diagnostics do not show
  /// where the promise was made.
  ///
  /// - Parameters:
  ///   - context: The context that runs the closure.
  ///   - handler: The closure that does the work and resolves the promise through the resolver.
  @_disfavoredOverload
  public init(on context: PromiseContext, _ handler: @escaping @Sendable (_ resolver: Resolver) -> Void) {
    self.init(running: handler, on: context, fileID: #fileID, line: 0)
  }
}

/// Returns a promise for the values of all promises, in the order of the promises. The diagnostics do not show where
/// the promise was made.
///
/// - Parameters:
///   - promises: The inputs.
///   - qos: Has no effect.
///   - cancelOnFailure: Whether the other inputs are asked to cancel when an input is rejected or cancelled.
@_disfavoredOverload
public func when<Value, Failure>(
  fulfilled promises: [Promise<Value, Failure>], qos: DispatchQoS.QoSClass, cancelOnFailure: Bool
) -> Promise<[Value], Failure> { when(fulfilled: promises, cancelOnFailure: cancelOnFailure, fileID: #fileID, line: 0) }

/// Returns a promise for the first result of several promises. The diagnostics do not show where the promise was made.
///
/// - Parameters:
///   - promises: The inputs.
///   - cancelRemaining: Whether the other inputs are asked to cancel after the first result.
@_disfavoredOverload
public func when<Value, Failure>(
  first promises: [Promise<Value, Failure>], cancelRemaining: Bool
) -> Promise<Value, Failure> { when(first: promises, cancelRemaining: cancelRemaining, fileID: #fileID, line: 0) }

/// Returns a promise for the values of two promises. The diagnostics do not show where the promise was made.
@_disfavoredOverload
public func when<Value1: Sendable, Value2: Sendable, Failure>(
  fulfilled a: Promise<Value1, Failure>, _ b: Promise<Value2, Failure>, qos: DispatchQoS.QoSClass, cancelOnFailure: Bool
) -> Promise<(Value1, Value2), Failure> {
  when(fulfilled: a, b, cancelOnFailure: cancelOnFailure, fileID: #fileID, line: 0)
}

/// Returns a promise for the values of three promises. The diagnostics do not show where the promise was made.
@_disfavoredOverload
public func when<Value1: Sendable, Value2: Sendable, Value3: Sendable, Failure>(
  fulfilled a: Promise<Value1, Failure>, _ b: Promise<Value2, Failure>, _ c: Promise<Value3, Failure>,
  qos: DispatchQoS.QoSClass, cancelOnFailure: Bool
) -> Promise<(Value1, Value2, Value3), Failure> {
  when(fulfilled: a, b, c, cancelOnFailure: cancelOnFailure, fileID: #fileID, line: 0)
}

/// Returns a promise for the values of four promises. The diagnostics do not show where the promise was made.
@_disfavoredOverload
public func when<Value1: Sendable, Value2: Sendable, Value3: Sendable, Value4: Sendable, Failure>(
  fulfilled a: Promise<Value1, Failure>, _ b: Promise<Value2, Failure>, _ c: Promise<Value3, Failure>,
  _ d: Promise<Value4, Failure>, qos: DispatchQoS.QoSClass, cancelOnFailure: Bool
) -> Promise<(Value1, Value2, Value3, Value4), Failure> {
  when(fulfilled: a, b, c, d, cancelOnFailure: cancelOnFailure, fileID: #fileID, line: 0)
}

/// Returns a promise for the values of five promises. The diagnostics do not show where the promise was made.
@_disfavoredOverload
public func when<Value1: Sendable, Value2: Sendable, Value3: Sendable, Value4: Sendable, Value5: Sendable, Failure>(
  fulfilled a: Promise<Value1, Failure>, _ b: Promise<Value2, Failure>, _ c: Promise<Value3, Failure>,
  _ d: Promise<Value4, Failure>, _ e: Promise<Value5, Failure>, qos: DispatchQoS.QoSClass, cancelOnFailure: Bool
) -> Promise<(Value1, Value2, Value3, Value4, Value5), Failure> {
  when(fulfilled: a, b, c, d, e, cancelOnFailure: cancelOnFailure, fileID: #fileID, line: 0)
}

/// Returns a promise for the values of six promises. The diagnostics do not show where the promise was made.
@_disfavoredOverload
public func when<
  Value1: Sendable, Value2: Sendable, Value3: Sendable, Value4: Sendable, Value5: Sendable, Value6: Sendable, Failure
>(
  fulfilled a: Promise<Value1, Failure>, _ b: Promise<Value2, Failure>, _ c: Promise<Value3, Failure>,
  _ d: Promise<Value4, Failure>, _ e: Promise<Value5, Failure>, _ f: Promise<Value6, Failure>,
  qos: DispatchQoS.QoSClass, cancelOnFailure: Bool
) -> Promise<(Value1, Value2, Value3, Value4, Value5, Value6), Failure> {
  when(fulfilled: a, b, c, d, e, f, cancelOnFailure: cancelOnFailure, fileID: #fileID, line: 0)
}
