public import Overmorrow

/// An object that resolves a ``Promise``. Its methods can be called on any thread. Only the first call has an effect.
public final class Resolver<T>: Sendable {
  @usableFromInline let resolver: Core<T>.Resolver
  @usableFromInline let event: LogEvent
  @usableFromInline let site: (file: StaticString, line: UInt)

  @inlinable init(_ resolver: Core<T>.Resolver, _ event: LogEvent, _ file: StaticString, _ line: UInt) {
    self.resolver = resolver
    self.event = event
    site = (file, line)
  }

  /// Returns a pending promise and its resolver. A request to cancel rejects the promise.
  @inlinable static func ofPromise(_ file: StaticString, _ line: UInt) -> (_Source<T>, Resolver<T>) {
    let (source, resolver) = _Source<T>.pending()
    PromiseAdapter.rejectOnRequestCancel(resolver, with: cancelled)
    return (source, Resolver(resolver, .pendingPromiseDeallocated, file, line))
  }

  /// Returns a pending guarantee and its resolver.
  @inlinable static func ofGuarantee(_ file: StaticString, _ line: UInt) -> (_Source<T>, Resolver<T>) {
    let (source, resolver) = _Source<T>.pending()
    return (source, Resolver(resolver, .pendingGuaranteeDeallocated, file, line))
  }

  deinit {
    if PromiseAdapter.isUnresolved(resolver) { LogEvent.$place.withValue("\(site.file):\(site.line)") { log(event) } }
  }

  /// Fulfils the promise.
  @inlinable public func fulfill(_ value: T) { resolver.fulfill(with: Kept(value)) }
  /// Rejects the promise.
  @inlinable public func reject(_ error: any Error) { resolver.reject(with: error) }
  /// Resolves the promise.
  public func resolve(_ result: Result<T>) { resolver.resolve(with: result.outcome) }
  /// Resolves the promise with the arguments of a completion handler. An error takes precedence over a value. If there
  /// is neither a value nor an error, the promise is rejected with `PMKError.invalidCallingConvention`.
  public func resolve(_ obj: T?, _ error: (any Error)?) {
    if let error { return reject(error) }
    if let obj { fulfill(obj) } else { reject(PMKError.invalidCallingConvention) }
  }
  /// Resolves the promise with the arguments of a completion handler. An error takes precedence over a value.
  public func resolve(_ obj: T, _ error: (any Error)?) {
    if let error { reject(error) } else { fulfill(obj) }
  }
  /// Resolves the promise with the arguments of a completion handler. An error takes precedence over a value. If there
  /// is neither a value nor an error, the promise is rejected with `PMKError.invalidCallingConvention`.
  public func resolve(_ error: (any Error)?, _ obj: T?) { resolve(obj, error) }

  /// Resolves the promise with a result of the standard library.
  public func resolve<E: Error>(_ result: Swift.Result<T, E>) {
    switch result {
    case .success(let value): fulfill(value)
    case .failure(let error): reject(error)
    }
  }
}

extension Resolver where T == Void {
  /// Resolves the promise with the argument of a completion handler. An error rejects the promise; `nil` fulfils the
  /// promise.
  public func resolve(_ error: (any Error)?) { resolve((), error) }

  // swift-format-ignore: AlwaysUseLowerCamelCase
  /// Fulfils the promise.
  public func fulfill_() { fulfill(()) }
}

/// The error of a cancelled promise. All promises share one instance, because each new existential error costs an
/// allocation.
@usableFromInline let cancelled: any Error = PMKError.cancelled
