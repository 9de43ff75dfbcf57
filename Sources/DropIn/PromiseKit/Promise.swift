internal import Foundation
internal import Overmorrow

/// The result of work that may still be going on: a value or an error.
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
  let inner: Core<T>

  init(of inner: Core<T>) { self.inner = inner }

  /// A fulfilled promise.
  public static func value(_ value: T) -> Promise<T> { Promise(of: Core<T>(fulfilled: Kept(value))) }

  /// A rejected promise.
  public init(error: any Error) { inner = Core<T>(rejected: error) }

  /// A promise with the result of another thenable.
  public init<U: Thenable>(_ bridge: U) where U.T == T { inner = bridge._source.core }

  /// A promise that a closure resolves, or rejects by throwing. The closure runs before this initialiser returns.
  public convenience init(
    fileID: StaticString = #fileID, line: UInt = #line, resolver body: (Resolver<T>) throws -> Void
  ) {
    let (promise, resolver) = Promise.make(fileID, line)
    self.init(of: promise)
    do { try body(resolver) } catch { resolver.reject(error) }
  }

  /// A pending promise, and what resolves it.
  public class func pending(
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> (promise: Promise<T>, resolver: Resolver<T>) {
    let (promise, resolver) = make(fileID, line)
    return (Promise(of: promise), resolver)
  }

  /// The same as a function without parameters.
  @_disfavoredOverload
  public class func pending() -> (promise: Promise<T>, resolver: Resolver<T>) {
    pending(fileID: "PromiseKit/", line: 0)
  }

  /// A request to cancel rejects the promise. This handler also keeps the promise pending after its resolver has gone.
  private static func make(_ file: StaticString, _ line: UInt) -> (Core<T>, Resolver<T>) {
    let (promise, resolver) = Core<T>.makeForLibrary()
    resolver.onRequestCancel(calling: { $0.reject(with: PMKError.cancelled) }, on: .immediate)
    return (promise, Resolver(resolver, .pendingPromiseDeallocated, file, line))
  }

  /// Calls a closure with the result: at once if there is one, otherwise when it comes.
  public func pipe(to: @escaping (Result<T>) -> Void) { inner.pipe(to) }

  /// The result, or `nil` while the promise is pending.
  public var result: Result<T>? { inner.result.flatMap { Result($0) } }

  /// The promise behind it.
  public var _source: _Source<T> { _Source(core: inner) }

  /// The value, for which the calling thread is blocked.
  ///
  /// - Throws: The error of the promise; an error that says so where the wait would never end, as for a closure on the very queue
  ///   that is blocked.
  public func wait() throws -> T {
    if Thread.isMainThread { log(.waitOnMainThread) }
    return try inner.waitForResult().unboxed()
  }
}

extension Overmorrow.Promise {
  func pipe<T>(_ to: @escaping (Result<T>) -> Void) where Value == Kept<T>, Failure == any Error {
    let to = Kept(to)
    _ = reportResult(on: .immediate, token: nil) { Result($0).map(to.value) }
  }
}

extension Promise where T == Void {
  /// A fulfilled promise.
  public convenience init() { self.init(of: Core<Void>(fulfilled: Kept(()))) }

  /// A fulfilled promise.
  public static var value: Promise<Void> { Promise() }
}

extension Promise: CustomStringConvertible {
  /// The value, the error, or the type.
  public var description: String {
    switch result {
    case nil: "Promise(…\(T.self))"
    case .fulfilled(let value): "Promise(\(value))"
    case .rejected(let error): "Promise(\(error))"
    }
  }
}

extension Promise: CustomDebugStringConvertible {
  /// The type, and the value, the error, or how many promises wait for it.
  public var debugDescription: String {
    switch result {
    case nil:
      let waiting = Mirror(reflecting: inner).children.first { $0.label == "interestedChildren" }?.value
      return "Promise<\(T.self)>.pending(handlers: \(waiting as? Int ?? 0))"
    case .fulfilled(let value): return "Promise<\(T.self)>.fulfilled(\(value))"
    case .rejected(let error): return "Promise<\(T.self)>.rejected(\(type(of: error)).\(error))"
    }
  }
}
