public import Dispatch
public import Foundation
@_spi(Adapters) internal import Overmorrow
@_spi(Adapters) internal import OvermorrowFlow

/// The future result of work that is done step by step, in a chain of promises.
///
/// The work begins automatically, a moment after the promise was created. The work is done once, however many steps
/// follow. A step runs on its queue after the previous step has ended. Each promise of a chain can suspend, resume and
/// cancel the whole chain.
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

  /// Creates the first promise of a chain.
  private init(
    _ queue: DispatchQueue, timeout: TimeInterval, retry: Int, attempt: @escaping (Chain) throws -> Core
  ) {
    let context = StepQueue.context(for: queue)
    let handle = ChainHandle(needsTurn: context != PromiseAdapter.context(for: queue))
    let chain = handle.chain
    let work = Work<Chain, T>(on: context, timeout: timeout, retry: retry, in: handle, attempt)
    let step = chain.start.flatMapResult(on: context) { start in
      defer { start.value?.end() }
      return work.run(chain)
    }
    self.init(work.end(step, after: chain.start), in: handle)
  }

  /// Creates a promise for a known result, in a chain that begins like any other chain.
  private init(settled result: Core) {
    let handle = ChainHandle()
    let chain = handle.chain
    let step = chain.start.flatMapResult(on: .immediate) { _ in
      chain.pause.whenUnblocked(on: .immediate) { chain.steps.isCancelled ? Core(with: .cancelled) : result }
    }
    self.init(chain.steps.add(step, after: chain.start.cancellable), in: handle)
  }

  /// Creates a promise for the value that a closure returns or the error that the closure throws.
  ///
  /// If `T` is itself a promise type, the new promise waits for the promise that the closure returns. When that promise
  /// is fulfilled, the new promise is fulfilled with that promise. When that promise is rejected, the new promise is
  /// rejected with the same error.
  ///
  /// - Parameters:
  ///   - queue: The queue on which `f` runs; a global queue of default quality of service by default.
  ///   - timeout: The time limit of the promise in seconds, counted from the beginning of `f`. When the limit passes,
  ///     the promise is rejected with ``PromiseError/timedOut``. A value of zero or less means no limit; zero by
  ///     default.
  ///   - retry: The maximum number of further attempts after an error; none by default.
  ///   - f: The work.
  @discardableResult
  public init(
    _ queue: DispatchQueue = .global(), timeout: TimeInterval = 0, retry: Int = 0, f: @escaping (() throws -> T)
  ) {
    self.init(queue, timeout: timeout, retry: retry) { Promise.returned(try f(), in: $0) }
  }

  // The parameter `f` is optional so that the compiler tries this initialiser last. A closure without a `return` could
  // be a closure that returns a promise, and trying both forms with equal weight takes minutes where such closures are
  // nested. The initialiser is not marked as disfavoured, because the mark would outweigh the compiler's rule against
  // dropping the value of a closure. The compiler would then prefer the other initialiser with a closure that returns
  // nothing.

  /// Creates a promise for the result of the promise that a closure returns, or for the error that the closure throws.
  ///
  /// The promise that the closure returns is suspended, resumed and cancelled with the new promise.
  ///
  /// - Parameters:
  ///   - queue: The queue on which `f` runs; a global queue of default quality of service by default.
  ///   - timeout: The time limit of the promise in seconds, counted from the beginning of `f`. When the limit passes,
  ///     the promise is rejected with ``PromiseError/timedOut``. A value of zero or less means no limit; zero by
  ///     default.
  ///   - retry: The maximum number of further attempts after an error of `f` or of the promise that `f` returns; none
  ///     by default.
  ///   - f: The closure that returns the promise to wait for. If `f` is `nil`, the new promise is rejected with
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

  /// Creates a promise that a closure resolves, now or later, by work that can be suspended.
  ///
  /// - Parameters:
  ///   - queue: The queue on which `f` runs; a global queue of default quality of service by default.
  ///   - timeout: The time limit of the promise in seconds, counted from the beginning of `f`. When the limit passes,
  ///     the promise is rejected with ``PromiseError/timedOut``. A value of zero or less means no limit; zero by
  ///     default.
  ///   - retry: The maximum number of further attempts after an error; none by default.
  ///   - f: The closure that begins the work. It receives a function that fulfils the promise and a function that
  ///     rejects the promise. Only the first call of these functions has an effect. An error that `f` throws counts as
  ///     such a call. The work that `f` assigns to the third parameter is suspended, resumed and cancelled with the
  ///     promise. If both functions are released without a call, and `f` has assigned no work or the last promise of
  ///     the chain has been released, the promise is rejected with ``PromiseError/cancelled``, or with
  ///     ``PromiseError/timedOut`` if there is a time limit.
  @discardableResult
  public init(
    _ queue: DispatchQueue = .global(), timeout: TimeInterval = 0, retry: Int = 0,
    f: @escaping (@escaping (T) -> Void, @escaping (any Error) -> Void, inout (any Asyncable)?) throws -> Void
  ) {
    self.init(queue, timeout: timeout, retry: retry) { Promise.resolved(in: $0, by: f) }
  }

  /// Creates a promise that a closure resolves, now or later.
  ///
  /// - Parameters:
  ///   - queue: The queue on which `f` runs; a global queue of default quality of service by default.
  ///   - timeout: The time limit of the promise in seconds, counted from the beginning of `f`. When the limit passes,
  ///     the promise is rejected with ``PromiseError/timedOut``. A value of zero or less means no limit; zero by
  ///     default.
  ///   - retry: The maximum number of further attempts after an error; none by default.
  ///   - f: The closure that begins the work. It receives a function that fulfils the promise and a function that
  ///     rejects the promise. Only the first call of these functions has an effect. An error that `f` throws counts as
  ///     such a call. If both functions are released without a call, the promise is rejected with
  ///     ``PromiseError/cancelled``, or with ``PromiseError/timedOut`` if there is a time limit.
  @discardableResult
  public init(
    _ queue: DispatchQueue = .global(), timeout: TimeInterval = 0, retry: Int = 0,
    f: @escaping (@escaping (T) -> Void, @escaping (any Error) -> Void) throws -> Void
  ) {
    self.init(queue, timeout: timeout, retry: retry) { chain in
      Promise.resolved(in: chain) { resolve, reject, _ in try f(resolve, reject) }
    }
  }

  /// Returns a fulfilled promise.
  ///
  /// - Parameter value: The value.
  public static func resolve(_ value: T) -> Promise<T> { Promise(settled: Core(fulfilled: Kept(value))) }

  /// Returns a rejected promise.
  ///
  /// - Parameter error: The error.
  public static func reject(_ error: any Error) -> Promise<T> { Promise(settled: Core(rejected: error)) }

  /// Runs a closure when the chain is released. The chain is released when all its promises have been released and all
  /// its steps have ended.
  ///
  /// - Parameter block: The closure to call once, inside the call that releases the last reference.
  public func onDeinit(_ block: @escaping () -> Void) { handle.chain.onDeinit(Kept(block)) }

  /// Blocks the calling thread until the promise is resolved, and returns the value.
  ///
  /// - Throws: The error of the promise, or an error that reports a deadlock. A deadlock is a wait on the
  ///   main queue, or in a closure on a serial queue, for a step of the same queue.
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
  /// Prevents the next steps of the chain from beginning. A running closure continues, but the ``Asyncable`` of its
  /// step is suspended.
  ///
  /// ``resume()`` or ``cancel()`` ends the suspension. If the last promise of the chain is released while the chain is
  /// suspended, only the time limit of a step that has begun can end the suspension. Without such a time limit, no
  /// further step runs.
  public func suspend() { handle.pause.suspend() }

  /// Resumes the chain.
  public func resume() { handle.pause.resume() }

  /// Rejects the current step, whether it waits or runs. The next `catch` receives ``PromiseError/cancelled``. No later
  /// `then` runs.
  ///
  /// A running closure continues, but its result is dropped. The ``Asyncable`` of the step is cancelled.
  public func cancel() { handle.chain.cancel() }

  /// Whether ``cancel()`` has been called on any promise of the chain.
  public var isCancelled: Bool { handle.chain.steps.isCancelled }
}
