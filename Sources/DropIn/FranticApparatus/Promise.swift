internal import Overmorrow

/// The future result of work. Holding a promise means that its result is wanted.
///
/// A promise retains the promises that it waits for, and they do not retain it. When the last reference to the end of a
/// chain is released, the callbacks of the chain no longer run, and `isCancelled` tells the work at its start that the
/// result is not wanted any more.
public final class Promise<Value>: Thenable, @unchecked Sendable {
  // Sendable because only the content of `upstream` changes, and `Upstream` says why that is sound. Values are passed
  // between threads as in the original library.
  typealias Core = Overmorrow.Promise<Kept<Value>, any Error>

  let core: Core
  /// Suppresses the callback and cancels the promise when this object is released.
  private let lifetime: PromiseInvalidationToken
  private let upstream: Upstream

  /// Creates a promise that a closure resolves.
  ///
  /// - Parameter promise: Called before this initialiser returns, with three functions: one fulfils the promise, one
  ///   rejects it, and one tells whether the result is still wanted. The first call that resolves the promise counts,
  ///   on whichever thread.
  public convenience init(
    _ promise: (
      _ fulfill: @escaping (Value) -> Void, _ reject: @escaping (any Error) -> Void, _ isCancelled: @escaping () -> Bool
    ) -> Void
  ) {
    let (core, resolver) = Core.makeForLibrary()
    self.init(core, lifetime: PromiseInvalidationToken(), upstream: Upstream())
    promise(
      { resolver.fulfill(with: Kept($0)) }, { resolver.reject(with: $0) }, { resolver.hasRequestedCancel })
  }

  init(_ core: Core, lifetime: PromiseInvalidationToken, upstream: Upstream) {
    self.core = core
    self.lifetime = lifetime
    self.upstream = upstream
    lifetime.requestCancelOnInvalidate(core)
  }

  /// Runs one of two closures with the outcome. The promise returned has the value that the closure returns, follows
  /// the promise that it returns, or is rejected with the error that it throws.
  ///
  /// - Parameters:
  ///   - dispatcher: The dispatcher that runs the closure, even if this promise is already resolved.
  ///   - onFulfilled: Called with the value. It returns a value or a promise to follow, or throws.
  ///   - onRejected: Called with the error. It returns a value or a promise to follow, or throws.
  public func then<ResultingValue>(
    on dispatcher: any Dispatcher, onFulfilled: @escaping (Value) throws -> Result<ResultingValue>,
    onRejected: @escaping (any Error) throws -> Result<ResultingValue>
  ) -> Promise<ResultingValue> {
    let (lifetime, upstream) = (PromiseInvalidationToken(), Upstream(self))
    let closures = Kept((onFulfilled, onRejected))
    let next = core.flatMapResult(on: .executor(DispatcherExecutor(dispatcher)), token: lifetime) {
      result in
      Promise<ResultingValue>.Core.rejectedIfThrown { () throws(any Error) in
        switch result {
        case .value(let value): try upstream.follow(closures.value.0(value.value))
        case .error(let error): try upstream.follow(closures.value.1(error))
        case .cancelled: Promise<ResultingValue>.Core(with: .cancelled)
        }
      }
    }
    return Promise<ResultingValue>(next, lifetime: lifetime, upstream: upstream)
  }
}

/// The promises that a promise waits for, and therefore retains.
final class Upstream: @unchecked Sendable {
  // Sendable because `kept` is written before the promise exists, once more by the promise's only callback, and finally
  // by `deinit`.
  private var kept: [AnyObject]

  init(_ kept: AnyObject...) { self.kept = kept }

  init(_ kept: [AnyObject]) { self.kept = kept }

  // In a long chain the previous promise retains the one before it, and so on: release them in a loop.
  deinit { if !kept.isEmpty { dispose(take()) } }

  private func take() -> Kept<[AnyObject]> {
    defer { kept = [] }
    return Kept(kept)
  }

  /// Returns the promise to follow, and retains it in place of the promises that were waited for.
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

/// Carries a value or closures from one thread to another without requiring `Sendable`, which code for the original
/// library does not declare.
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
