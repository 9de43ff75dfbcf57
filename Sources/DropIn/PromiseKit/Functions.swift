// swift-format-ignore-file: AmbiguousTrailingClosureOverload

public import Dispatch
public import Foundation
internal import Overmorrow

/// A promise with the result of what a closure makes, which runs at once; an error that it throws rejects the promise.
public func firstly<U: Thenable>(execute body: () throws -> U) -> Promise<U.T> {
  do { return Promise(try body()) } catch { return Promise(error: error) }
}

/// What a closure makes, which runs at once.
public func firstly<T>(execute body: () -> Guarantee<T>) -> Guarantee<T> { body() }

/// The value, for which the main thread runs its run loop; another thread is blocked.
///
/// - Throws: The error of the promise.
public func hang<T>(_ promise: Promise<T>) throws -> T {
  if Thread.isMainThread {
    // The block wakes the run loop.
    promise._source.core.whenOver { _ in DispatchQueue.main.async {} }
    while promise.isPending { _ = RunLoop.main.run(mode: .default, before: .distantFuture) }
  }
  return try promise._source.wait()
}

/// A guarantee that is fulfilled after so many seconds, on the global queue of default quality of service.
public func after(seconds: TimeInterval) -> Guarantee<Void> { after(Duration(timeInterval: seconds)) }
/// A guarantee that is fulfilled after a while, on the global queue of default quality of service.
public func after(_ interval: DispatchTimeInterval) -> Guarantee<Void> {
  switch interval {
  case .seconds(let count): after(Duration.seconds(count))
  case .milliseconds(let count): after(Duration.milliseconds(count))
  case .microseconds(let count): after(Duration.microseconds(count))
  case .nanoseconds(let count): after(Duration.nanoseconds(count))
  default: after(Duration(timeInterval: .infinity))
  }
}

private func after(_ delay: Duration) -> Guarantee<Void> {
  Guarantee(_Source(core: Core<Void>(on: .default, fulfilled: Kept(()), after: delay)))
}

/// A promise with the first result of several thenables, be it an error; for none, it stays pending.
public func race<U: Thenable>(_ thenables: U...) -> Promise<U.T> { Promise(first(thenables.map { $0._source })) }
/// A promise with the first result of several thenables, be it an error; for none, rejected with `PMKError.badInput`.
public func race<U: Thenable>(_ thenables: [U]) -> Promise<U.T> {
  thenables.isEmpty ? Promise(error: PMKError.badInput) : Promise(first(thenables.map { $0._source }))
}

/// A guarantee with the first value of several guarantees; for none, it stays pending.
public func race<T>(_ guarantees: Guarantee<T>...) -> Guarantee<T> { Guarantee(first(guarantees.map { $0._source })) }

/// A promise with the first value of several thenables; rejected with `PMKError.noWinner` if all are, and for none with
/// `PMKError.badInput`.
public func race<U: Thenable>(fulfilled thenables: [U]) -> Promise<U.T> {
  thenables.isEmpty ? Promise(error: PMKError.badInput) : Promise(firstFulfilled(thenables.map { $0._source }))
}

/// Says which form of `DispatchQueue.async` is meant.
public enum PMKNamespacer: Sendable {
  /// The one that makes a promise.
  case promise
}

extension DispatchQueue {
  /// A promise for what a closure returns or throws, which the queue runs.
  @preconcurrency public final func async<T>(
    _: PMKNamespacer, group: DispatchGroup? = nil, qos: DispatchQoS = .default, flags: DispatchWorkItemFlags = [],
    execute body: sending @escaping () throws -> T
  ) -> Promise<T> {
    let (promise, resolver) = Promise<T>.pending()
    let body = Kept(body)
    async(group: group, qos: qos, flags: flags) {
      do { resolver.fulfill(try body.value()) } catch { resolver.reject(error) }
    }
    return promise
  }

  /// A guarantee of what a closure returns, which the queue runs.
  @preconcurrency public final func async<T>(
    _: PMKNamespacer, group: DispatchGroup? = nil, qos: DispatchQoS = .default, flags: DispatchWorkItemFlags = [],
    execute body: sending @escaping () -> T
  ) -> Guarantee<T> {
    let (guarantee, resolve) = Guarantee<T>.pending()
    let body = Kept(body)
    async(group: group, qos: qos, flags: flags) { resolve(body.value()) }
    return guarantee
  }
}
