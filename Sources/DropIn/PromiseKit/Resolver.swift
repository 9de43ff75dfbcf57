internal import Overmorrow

/// What resolves a ``Promise``. Any thread may call it. The first call counts; later ones do nothing.
public final class Resolver<T>: Sendable {
  private let resolver: Core<T>.Resolver
  private let event: LogEvent
  private let site: (file: StaticString, line: UInt)

  init(_ resolver: Core<T>.Resolver, _ event: LogEvent, _ file: StaticString, _ line: UInt) {
    self.resolver = resolver
    self.event = event
    site = (file, line)
  }

  deinit {
    if resolver.isUnresolved { LogEvent.$place.withValue("\(site.file):\(site.line)") { log(event) } }
  }

  /// Fulfils the promise.
  public func fulfill(_ value: T) { resolver.fulfill(with: Kept(value)) }

  /// Rejects the promise.
  public func reject(_ error: any Error) { resolver.reject(with: error) }

  /// Resolves the promise.
  public func resolve(_ result: Result<T>) { resolver.resolve(with: result.outcome) }

  /// Resolves the promise with the arguments of a completion handler: an error wins.
  public func resolve(_ obj: T?, _ error: (any Error)?) {
    if let error { return reject(error) }
    if let obj { fulfill(obj) } else { reject(PMKError.invalidCallingConvention) }
  }

  /// Resolves the promise with the arguments of a completion handler: an error wins.
  public func resolve(_ obj: T, _ error: (any Error)?) {
    if let error { reject(error) } else { fulfill(obj) }
  }

  /// Resolves the promise with the arguments of a completion handler: an error wins.
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
  /// Resolves the promise with the argument of a completion handler.
  public func resolve(_ error: (any Error)?) { resolve((), error) }

  // swift-format-ignore: AlwaysUseLowerCamelCase
  /// Fulfils the promise.
  public func fulfill_() { fulfill(()) }
}
