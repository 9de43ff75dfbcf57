public import Dispatch
import Overmorrow

// What is used as a function by its plain name, such as `Promise<Int, Never>.init(on:_:)`. What is called has a place that the
// compiler fills in, and so another name; a call prefers that.

extension Promise {
  /// A promise that a closure produces, made at a place that is not known.
  ///
  /// - Parameters:
  ///   - context: Where the closure runs.
  ///   - handler: The work. It resolves the promise through the resolver.
  @_disfavoredOverload
  public init(on context: PromiseContext, _ handler: @escaping @Sendable (_ resolver: Resolver) -> Void) {
    self.init(running: handler, on: context, site: CallSite(#fileID, 0))
  }
}

extension DelayedPromise {
  /// A promise whose closure does not run before it is needed, made at a place that is not known.
  ///
  /// - Parameters:
  ///   - context: Where the closure runs.
  ///   - handler: The work. It resolves the promise through the resolver.
  @_disfavoredOverload
  public init(on context: PromiseContext, _ handler: @escaping @Sendable (_ resolver: Resolver) -> Void) {
    self.init(running: handler, on: context, site: CallSite(#fileID, 0))
  }
}

/// A promise for the values of several, made at a place that is not known.
///
/// - Parameters:
///   - promises: What to wait for.
///   - qos: Has no effect.
///   - cancelOnFailure: Whether a failure asks the others to cancel.
@_disfavoredOverload
public func when<Value, Failure>(
  fulfilled promises: [Promise<Value, Failure>], qos: DispatchQoS.QoSClass, cancelOnFailure: Bool
) -> Promise<[Value], Failure> { when(fulfilled: promises, cancelOnFailure: cancelOnFailure, fileID: #fileID, line: 0) }

/// A promise for the first result of several, made at a place that is not known.
///
/// - Parameters:
///   - promises: What to wait for.
///   - cancelRemaining: Whether the first result asks the others to cancel.
@_disfavoredOverload
public func when<Value, Failure>(
  first promises: [Promise<Value, Failure>], cancelRemaining: Bool
) -> Promise<Value, Failure> { when(first: promises, cancelRemaining: cancelRemaining, fileID: #fileID, line: 0) }
