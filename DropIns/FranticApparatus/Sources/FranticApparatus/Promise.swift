internal import Overmorrow

/// The future result of work. While there is a reference to a promise, its result counts as needed.
///
/// A promise retains the promises that it waits for. Those promises do not retain the promise that waits. When the last
/// reference to the end of a chain is released, the callbacks of the chain no longer run. The function `isCancelled` of
/// the work at the start of the chain then returns `true`.
public final class Promise<Value>: Thenable, @unchecked Sendable {
  // Sendable because only the content of `upstream` changes, and `Upstream` says why that is sound. As in the original
  // library, promises pass values to other threads without requiring the values to be `Sendable`.
  typealias Core = Overmorrow.Promise<Kept<Value>, any Error>

  let core: Core
  /// The token whose invalidation suppresses the callback and requests the cancellation of `core`. The token is
  /// invalidated when this object is released.
  private let lifetime: PromiseInvalidationToken
  private let upstream: Upstream
  /// The resolver of a promise that a closure resolves. It is retained so that the promise stays unresolved if the
  /// closure releases its functions without a call.
  private let resolver: Core.Resolver?

  /// Creates a promise that a closure resolves.
  ///
  /// - Parameter promise: A closure that is called before this initialiser returns. It receives a function that fulfils
  ///   the promise, a function that rejects the promise, and a function that returns whether the promise has been
  ///   released. The functions can be called on any thread, and do not retain the promise. Only the first call that
  ///   resolves the promise has an effect.
  public convenience init(
    _ promise: (
      _ fulfill: @escaping (Value) -> Void, _ reject: @escaping (any Error) -> Void, _ isCancelled: @escaping () -> Bool
    ) -> Void
  ) {
    let (core, resolver) = PromiseAdapter.makePromise(of: Kept<Value>.self, failure: (any Error).self)
    self.init(core, lifetime: PromiseInvalidationToken(), upstream: Upstream(), resolver: resolver)
    // The resolver cannot answer `isCancelled`, because it forgets a request when the promise is resolved.
    promise({ resolver.fulfill(with: Kept($0)) }, { resolver.reject(with: $0) }, { [weak self] in self == nil })
  }

  init(_ core: Core, lifetime: PromiseInvalidationToken, upstream: Upstream, resolver: Core.Resolver? = nil) {
    self.core = core
    self.lifetime = lifetime
    self.upstream = upstream
    self.resolver = resolver
    lifetime.requestCancelOnInvalidate(core)
  }

  /// Runs one of two closures with the outcome. The promise returned is fulfilled with the value that the closure
  /// returns, or follows the promise that the closure returns. If the closure throws, the promise returned is rejected
  /// with the error thrown.
  ///
  /// - Parameters:
  ///   - dispatcher: The dispatcher that runs the closure, even if this promise is already resolved.
  ///   - onFulfilled: A closure that is called with the value. The closure returns a value or a promise to follow, or
  ///     throws.
  ///   - onRejected: A closure that is called with the error. The closure returns a value or a promise to follow, or
  ///     throws.
  public func then<ResultingValue>(
    on dispatcher: any Dispatcher, onFulfilled: @escaping (Value) throws -> Result<ResultingValue>,
    onRejected: @escaping (any Error) throws -> Result<ResultingValue>
  ) -> Promise<ResultingValue> {
    let (lifetime, upstream) = (PromiseInvalidationToken(), Upstream(self))
    let closures = Kept((onFulfilled, onRejected))
    let next = core.flatMapResult(on: .executor(DispatcherExecutor(dispatcher)), token: lifetime) {
      result in
      do {
        return switch result {
        case .value(let value): try upstream.follow(closures.value.0(value.value))
        case .error(let error): try upstream.follow(closures.value.1(error))
        case .cancelled: Promise<ResultingValue>.Core(with: .cancelled)
        }
      } catch {
        return Promise<ResultingValue>.Core(rejected: error)
      }
    }
    return Promise<ResultingValue>(next, lifetime: lifetime, upstream: upstream)
  }
}

/// The promises that a promise waits for, and therefore retains.
final class Upstream: @unchecked Sendable {
  // Sendable because `kept` is written before the promise exists, then by the promise's only callback, and finally by
  // `deinit`. No two of these writes overlap.
  private var kept: [AnyObject]

  init(_ kept: AnyObject...) { self.kept = kept }

  init(_ kept: [AnyObject]) { self.kept = kept }

  deinit { if !kept.isEmpty { release() } }

  /// Releases the promises in the loop of the core that releases promises. In a long chain, each promise retains the
  /// promise before it. If each release nested in the release of the next promise, the stack would overflow.
  func release() { _ = Overmorrow.Promise<Kept<[AnyObject]>, Never>(fulfilled: take()) }

  private func take() -> Kept<[AnyObject]> {
    defer { kept = [] }
    return Kept(kept)
  }

  /// Returns the promise to follow. Releases the promises that the step waited for, and retains a promise that the
  /// closure has returned.
  func follow<Value>(_ result: Result<Value>) -> Promise<Value>.Core {
    switch result {
    case .value(let value):
      kept = []
      return Promise<Value>.Core(fulfilled: Kept(value))
    case .promise(let promise):
      kept = [promise]
      return promise.core
    }
  }
}

/// A container that carries a value or closures from one thread to another. The content need not be `Sendable`, because
/// code for the original library does not declare `Sendable`.
struct Kept<Value>: @unchecked Sendable {
  // Sendable because promises pass it from one thread to the next and never share it.
  let value: Value

  init(_ value: Value) { self.value = value }
}

/// The result of a callback: a value, or a promise to follow.
public enum Result<Value> {
  /// The value.
  case value(Value)
  /// The promise to follow.
  case promise(Promise<Value>)
}
