internal import Foundation

/// The future result of work: a value or an error.
///
/// ```swift
/// firstly {
///   login()
/// }.then { session in
///   fetchAvatar(of: session.user)
/// }.done { image in
///   self.imageView.image = image
/// }.catch { error in
///   self.show(error)
/// }
/// ```
public final class Promise<T>: Thenable, CatchMixin, Sendable {
  /// The promise of Overmorrow behind this promise.
  public let _source: _Source<T>

  @inlinable init(_ source: _Source<T>) { _source = source }

  /// Returns a fulfilled promise.
  @inlinable public static func value(_ value: T) -> Promise<T> { Promise(_Source(value)) }

  /// Creates a rejected promise.
  @inlinable public init(error: any Error) { _source = _Source(error: error) }

  /// Creates a promise with the result of another thenable.
  @inlinable public init<U: Thenable>(_ bridge: U) where U.T == T { _source = bridge._source }

  /// Creates a promise that a closure resolves. An error that the closure throws rejects the promise. The closure runs
  /// before this initialiser returns.
  public convenience init(
    fileID: StaticString = #fileID, line: UInt = #line, resolver body: (Resolver<T>) throws -> Void
  ) {
    let (source, resolver) = Resolver<T>.ofPromise(fileID, line)
    self.init(source)
    do { try body(resolver) } catch { resolver.reject(error) }
  }

  /// Returns a pending promise and its resolver.
  @inlinable public class func pending(
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> (promise: Promise<T>, resolver: Resolver<T>) {
    let (source, resolver) = Resolver<T>.ofPromise(fileID, line)
    return (Promise(source), resolver)
  }
  /// Does the same as ``pending(fileID:line:)``, but can be used as a function without parameters.
  @_disfavoredOverload
  @inlinable public class func pending() -> (promise: Promise<T>, resolver: Resolver<T>) {
    pending(fileID: "PromiseKit/", line: 0)
  }

  /// Calls a closure with the result. If the promise is pending, the call is made when the result arrives.
  public func pipe(to: @escaping (Result<T>) -> Void) { _source.pipe(to) }
  /// The result, or `nil` while the promise is pending.
  @inlinable public var result: Result<T>? { _source.result }

  /// Blocks the calling thread until the promise is resolved, and returns the value.
  ///
  /// - Throws: The error of the promise, or an error that reports a deadlock. A deadlock is a wait on the
  ///   main queue, or in a closure on a serial queue, for a closure that has to run on the same queue.
  public func wait() throws -> T {
    if Thread.isMainThread { log(.waitOnMainThread) }
    return try _source.wait()
  }
}

extension Promise where T == Void {
  /// Creates a fulfilled promise.
  public convenience init() { self.init(_Source(())) }
  /// A fulfilled promise.
  public static var value: Promise<Void> { Promise() }
}

extension Promise: CustomStringConvertible {
  /// A text that shows the value or the error. While the promise is pending, the text shows the type of the value.
  public var description: String {
    switch result {
    case nil: "Promise(…\(T.self))"
    case .fulfilled(let value): "Promise(\(value))"
    case .rejected(let error): "Promise(\(error))"
    }
  }
}

extension Promise: CustomDebugStringConvertible {
  /// A text that shows the type of the value, followed by the value or the error. While the promise is pending, the
  /// type is followed by the number of promises that wait for this promise.
  public var debugDescription: String {
    switch result {
    case nil:
      let waiting = Mirror(reflecting: _source.core).children.first { $0.label == "interestedChildren" }?.value
      return "Promise<\(T.self)>.pending(handlers: \(waiting as? Int ?? 0))"
    case .fulfilled(let value): return "Promise<\(T.self)>.fulfilled(\(value))"
    case .rejected(let error): return "Promise<\(T.self)>.rejected(\(type(of: error)).\(error))"
    }
  }
}
