public import Dispatch
public import Foundation
internal import Overmorrow

/// The result of work that is done step by step, in a chain of promises.
///
/// The work begins by itself, a moment after the promise was made, and is done once, however many steps follow. A step
/// runs on its queue when the one before has ended. All promises of a chain can suspend, resume and cancel all of it.
///
/// ```swift
/// Promise { try loadText() }
///   .then { $0.count }
///   .then(.main) { show($0) }
///   .catch { print($0.localizedDescription) }
/// ```
public struct Promise<T>: Sendable {
  typealias Core = Overmorrow.Promise<Kept<T>, any Error>

  let core: Core
  let handle: ChainHandle

  init(_ core: Core, in handle: ChainHandle) {
    self.core = core
    self.handle = handle
  }

  /// The first promise of a chain.
  private init(
    _ queue: DispatchQueue, timeout: TimeInterval, retry: Int, attempt: @escaping (Chain) throws -> Core
  ) {
    let handle = ChainHandle()
    let chain = handle.chain
    let work = Work<Chain, T>(queue, timeout: timeout, retry: retry, in: chain, attempt)
    let step = chain.start.flatMapResult(on: work.context) { _ in work.run(chain) }
    self.init(work.end(step, after: chain.start), in: handle)
  }

  /// A promise that does nothing, in a chain that begins as any other.
  private init(settled result: Core) {
    let handle = ChainHandle()
    let chain = handle.chain
    let step = chain.start.flatMapResult(on: .immediate) { _ in
      chain.pause.whenOpen(on: .immediate) { chain.steps.isCancelled ? Core(with: .cancelled) : result }
    }
    self.init(chain.steps.add(step, after: chain.start.cancellable), in: handle)
  }

  /// A promise for what a closure returns, or for the error that it throws.
  ///
  /// If that is a promise, as the value, it is waited for: this one is fulfilled with it when it is fulfilled itself,
  /// and rejected with its error.
  ///
  /// - Parameters:
  ///   - queue: Where `f` runs.
  ///   - timeout: How many seconds after `f` has begun the promise is rejected with ``PromiseError/timedOut``; zero or
  ///     less is never.
  ///   - retry: How often to try again after an error.
  ///   - f: The work.
  @discardableResult
  public init(
    _ queue: DispatchQueue = .global(), timeout: TimeInterval = 0, retry: Int = 0, f: @escaping (() throws -> T)
  ) {
    self.init(queue, timeout: timeout, retry: retry) { Promise.returned(try f(), in: $0) }
  }

  // Optional, so that it is looked at last: a closure without a `return` could be one that returns a promise, as far as
  // the compiler looks, and to try both alike takes it minutes where such closures are nested. Not disfavoured: that
  // would weigh more than that the other initialiser drops what a closure returns for one that returns nothing.

  /// A promise for the result of the one that a closure returns, or for the error that it throws.
  ///
  /// The promise returned is suspended, resumed and cancelled with this one.
  ///
  /// - Parameters:
  ///   - queue: Where `f` runs.
  ///   - timeout: How many seconds after `f` has begun the promise is rejected with ``PromiseError/timedOut``; zero or
  ///     less is never.
  ///   - retry: How often to try again after an error, of the promise returned as well.
  ///   - f: Makes the promise to wait for. With `nil` there is none, and this one is rejected with
  ///     ``PromiseError/empty``.
  public init(
    _ queue: DispatchQueue = .global(), timeout: TimeInterval = 0, retry: Int = 0,
    f: (() throws -> Promise<T>)?
  ) {
    self.init(queue, timeout: timeout, retry: retry) { chain in
      guard let f else { throw PromiseError.empty }
      return Promise.followed(try f(), in: chain)
    }
  }

  /// A promise that a closure resolves, now or later, by work that can be suspended.
  ///
  /// - Parameters:
  ///   - queue: Where `f` runs.
  ///   - timeout: How many seconds after `f` has begun the promise is rejected with ``PromiseError/timedOut``; zero or
  ///     less is never.
  ///   - retry: How often to try again after an error.
  ///   - f: Begins the work. It gets what fulfils the promise, and what rejects it: the first call counts, and so does
  ///     what `f` throws. When both are gone without a call, the promise is rejected with ``PromiseError/cancelled``,
  ///     or by its timeout if it has one. What `f` puts into the third parameter is suspended, resumed and cancelled
  ///     with the promise.
  @discardableResult
  public init(
    _ queue: DispatchQueue = .global(), timeout: TimeInterval = 0, retry: Int = 0,
    f: @escaping (@escaping (T) -> Void, @escaping (any Error) -> Void, inout (any Asyncable)?) throws -> Void
  ) {
    self.init(queue, timeout: timeout, retry: retry) { Promise.resolved(in: $0, by: f) }
  }

  /// A promise that a closure resolves, now or later.
  ///
  /// - Parameters:
  ///   - queue: Where `f` runs.
  ///   - timeout: How many seconds after `f` has begun the promise is rejected with ``PromiseError/timedOut``; zero or
  ///     less is never.
  ///   - retry: How often to try again after an error.
  ///   - f: Begins the work. It gets what fulfils the promise, and what rejects it: the first call counts, and so does
  ///     what `f` throws. When both are gone without a call, the promise is rejected with ``PromiseError/cancelled``,
  ///     or by its timeout if it has one.
  @discardableResult
  public init(
    _ queue: DispatchQueue = .global(), timeout: TimeInterval = 0, retry: Int = 0,
    f: @escaping (@escaping (T) -> Void, @escaping (any Error) -> Void) throws -> Void
  ) {
    self.init(queue, timeout: timeout, retry: retry) { chain in
      Promise.resolved(in: chain) { resolve, reject, _ in try f(resolve, reject) }
    }
  }

  /// A fulfilled promise.
  ///
  /// - Parameter value: The value.
  public static func resolve(_ value: T) -> Promise<T> { Promise(settled: Core(fulfilled: Kept(value))) }

  /// A rejected promise.
  ///
  /// - Parameter error: The error.
  public static func reject(_ error: any Error) -> Promise<T> { Promise(settled: Core(rejected: error)) }

  /// Runs a closure when the chain has gone: all its promises, and what their steps keep.
  ///
  /// - Parameter block: Called once, right where the last of them goes.
  public func onDeinit(_ block: @escaping () -> Void) { handle.chain.onDeinit(Kept(block)) }

  /// The value, for which the calling thread is blocked.
  ///
  /// - Throws: The error of the promise; an error that says so where the wait could never end, as for a step on the
  ///   very queue that is blocked.
  @discardableResult
  public func await() throws -> T {
    handle.chain.begin()
    switch try core.waitForResult() {
    case .value(let value): return value.value
    case .error(let error): throw error
    case .cancelled: throw PromiseError.cancelled
    }
  }
}

extension Promise: Asyncable {
  /// Keeps the next steps of the chain from beginning. A step that runs goes on, and its ``Asyncable`` is suspended.
  ///
  /// It ends with ``resume()`` or ``cancel()``. When the last promise of the chain goes while it is suspended, none of
  /// its steps runs any more.
  public func suspend() { handle.pause.suspend() }

  /// Goes on with the chain.
  public func resume() { handle.pause.resume() }

  /// Rejects the step that waits or runs with ``PromiseError/cancelled``, for the next `catch`. No later `then` runs.
  ///
  /// A closure that runs goes on, and its result is dropped; its ``Asyncable`` is cancelled.
  public func cancel() { handle.chain.cancel() }

  /// Whether ``cancel()`` has been called on any promise of the chain.
  public var isCancelled: Bool { handle.chain.steps.isCancelled }
}
