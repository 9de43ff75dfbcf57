internal import Overmorrow

/// The result of work that may still be going on. Who holds it wants the result.
///
/// A promise keeps what it waits for; nothing that it waits for keeps it. When the last reference to the last promise
/// of a chain goes, the callbacks of the chain do not run any more, and the work behind it is told by its
/// `isCancelled`.
public final class Promise<Value>: Thenable, @unchecked Sendable {
  // Sendable: nothing of it changes but what it keeps, which is written as said there; values are handed on as in the
  // code that this module is for.
  typealias Core = Overmorrow.Promise<Kept<Value>, any Error>

  let core: Core
  /// Suppresses the callback, and cancels the promise, when this object goes.
  private let lifetime: PromiseInvalidationToken
  private let upstream: Upstream

  /// A promise that a closure resolves.
  ///
  /// - Parameter promise: Called before this initialiser returns, with what fulfils the promise, what rejects it, and
  ///   what tells whether it is still wanted. The first call counts, from whatever thread.
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

  /// A promise for what one of two closures makes of the outcome.
  ///
  /// - Parameters:
  ///   - dispatcher: Where the closure runs, also if this promise is resolved already.
  ///   - onFulfilled: Called with the value; gives a value, or a promise to follow, or throws.
  ///   - onRejected: Called with the error; gives a value, or a promise to follow, or throws.
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

/// What a promise keeps: what it waits for.
final class Upstream: @unchecked Sendable {
  // Sendable: written before the promise exists, then once by its only callback, and never read.
  private var kept: [AnyObject]

  init(_ kept: AnyObject...) { self.kept = kept }

  init(_ kept: [AnyObject]) { self.kept = kept }

  // The promise before this one in a long chain keeps the one before it, and so on.
  deinit { if !kept.isEmpty { dispose(take()) } }

  private func take() -> Kept<[AnyObject]> {
    defer { kept = [] }
    return Kept(kept)
  }

  /// The promise to follow, which is kept from now on in place of what has been waited for.
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

/// A value, or closures, on the way from thread to thread, as in the code that this module is for.
struct Kept<Value>: @unchecked Sendable {
  // Sendable: handed on by the promises, and never shared by them.
  let value: Value

  init(_ value: Value) { self.value = value }
}

/// What a callback gives: a value, or a promise to follow.
public enum Result<Value> {
  /// The value.
  case value(Value)
  /// The promise to follow.
  case promise(Promise<Value>)
}
