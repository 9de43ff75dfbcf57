import Overmorrow

/// The error of a vow that waits for itself.
public struct VowCycle: Error {}

/// A vow is kept with a value, or broken with an error.
public final class Vow<Value: Sendable>: Sendable {
  let core: Promise<Value, any Error>
  private let resolver: Promise<Value, any Error>.Resolver?

  /// Creates a vow that its creator keeps or breaks.
  public init() {
    let (promise, resolver) = PromiseAdapter.makePromise(of: Value.self, failure: (any Error).self)
    (core, self.resolver) = (promise, resolver)
  }

  private init(_ core: Promise<Value, any Error>) { (self.core, resolver) = (core, nil) }

  /// Keeps the vow with a value.
  public func keep(_ value: Value) {
    if let resolver, !PromiseAdapter.isUnresolved(resolver) { print("This vow has already ended.") }
    resolver?.fulfill(with: value)
  }

  /// Breaks the vow with an error.
  public func breakVow(_ error: any Error) { resolver?.reject(with: error) }

  /// Returns a vow for the value that a closure makes of the value.
  public func transformed<U>(_ body: @escaping @isolated(any) (Value) throws -> U) -> Vow<U> {
    let context = PromiseAdapter.context(of: body.isolation, otherwise: .utility)
    let body = PromiseAdapter.plain(body)
    return Vow<U>(
      PromiseAdapter.transformValue(core, on: context, token: nil) { value in
        do { return .value(try body(value)) } catch { return .error(error) }
      })
  }

  /// Returns a vow that ends like the vow that a closure makes of the value.
  public func followed<U>(_ body: @escaping @isolated(any) (Value) throws -> Vow<U>) -> Vow<U> {
    let context = PromiseAdapter.context(of: body.isolation, otherwise: .utility)
    let body = PromiseAdapter.plain(body)
    return Vow<U>(
      PromiseAdapter.transformValue(core, on: context) { address in
        { value in
          do {
            let next = try body(value).core
            return PromiseAdapter.address(of: next) == address ? .error(VowCycle()) : .promise(next)
          } catch { return .error(error) }
        }
      })
  }

  /// Runs a closure when the vow has ended.
  public func ended(_ body: @escaping @isolated(any) (Result<Value, any Error>) -> Void) {
    let context = PromiseAdapter.context(of: body.isolation, otherwise: .utility)
    let body = PromiseAdapter.plain(body)
    core.tap(on: context) { result in
      switch result {
      case .value(let value): body(.success(value))
      case .error(let error): body(.failure(error))
      case .cancelled: body(.failure(CancellationError()))
      }
    }
  }
}
