// swift-format-ignore-file: AmbiguousTrailingClosureOverload

public import Dispatch
public import Foundation
internal import Overmorrow

/// Runs a closure at once and returns a promise with the result of the thenable that the closure returns. An error that
/// the closure throws rejects the promise.
public func firstly<U: Thenable>(execute body: () throws -> U) -> Promise<U.T> {
  do { return Promise(try body()) } catch { return Promise(error: error) }
}

/// Runs a closure at once and returns the guarantee that the closure returns.
public func firstly<T>(execute body: () -> Guarantee<T>) -> Guarantee<T> { body() }

/// Waits for the value. On the main thread, the run loop runs during the wait. Any other thread is blocked.
///
/// - Throws: The error of the promise, or an error that reports a deadlock.
public func hang<T>(_ promise: Promise<T>) throws -> T {
  if Thread.isMainThread {
    // The empty block wakes the run loop, so that the condition of the loop below is evaluated again.
    promise._source.core.tap(on: .immediate) { _ in DispatchQueue.main.async {} }
    while promise.isPending { _ = RunLoop.main.run(mode: .default, before: .distantFuture) }
  }
  return try promise._source.wait()
}

/// Returns a guarantee that is fulfilled after a number of seconds, on the global queue of default quality of service.
public func after(seconds: TimeInterval) -> Guarantee<Void> { after(delay(of: seconds)) }
/// Returns a guarantee that is fulfilled after an interval, on the global queue of default quality of service.
public func after(_ interval: DispatchTimeInterval) -> Guarantee<Void> {
  switch interval {
  case .seconds(let count): after(Duration.seconds(count))
  case .milliseconds(let count): after(Duration.milliseconds(count))
  case .microseconds(let count): after(Duration.microseconds(count))
  case .nanoseconds(let count): after(Duration.nanoseconds(count))
  default: after(delay(of: .infinity))
  }
}

/// Returns a number of seconds as a duration of at most 95 years, because instants much farther away cannot be
/// computed. NaN counts as zero.
private func delay(of seconds: TimeInterval) -> Duration { seconds > 0 ? .seconds(min(seconds, 3e9)) : .zero }

private func after(_ delay: Duration) -> Guarantee<Void> {
  Guarantee(_Source(core: Core<Void>(on: .default, fulfilled: Kept(()), after: delay)))
}

/// Returns a promise with the first result of several thenables, whether a value or an error. If there are no
/// thenables, the promise stays pending.
public func race<U: Thenable>(_ thenables: U...) -> Promise<U.T> { Promise(first(thenables.map { $0._source })) }
/// Returns a promise with the first result of several thenables, whether a value or an error. If there are no
/// thenables, the promise is rejected with `PMKError.badInput`.
public func race<U: Thenable>(_ thenables: [U]) -> Promise<U.T> {
  thenables.isEmpty ? Promise(error: PMKError.badInput) : Promise(first(thenables.map { $0._source }))
}

/// Returns a guarantee with the first value of several guarantees. If there are no guarantees, the guarantee returned
/// stays pending.
public func race<T>(_ guarantees: Guarantee<T>...) -> Guarantee<T> { Guarantee(first(guarantees.map { $0._source })) }

/// Returns a promise with the first value of several thenables. If all thenables are rejected, the promise returned is
/// rejected with `PMKError.noWinner`. If there are no thenables, the promise returned is rejected with
/// `PMKError.badInput`.
public func race<U: Thenable>(fulfilled thenables: [U]) -> Promise<U.T> {
  thenables.isEmpty ? Promise(error: PMKError.badInput) : Promise(firstFulfilled(thenables.map { $0._source }))
}

/// A parameter that selects a form of `DispatchQueue.async`.
public enum PMKNamespacer: Sendable {
  /// The form that returns a promise.
  case promise
}

extension DispatchQueue {
  /// Runs a closure on the queue. Returns a promise for the value that the closure returns or the error that the
  /// closure throws.
  @available(swift, obsoleted: 6)
  public final func async<T>(
    _: PMKNamespacer, group: DispatchGroup? = nil, qos: DispatchQoS = .default, flags: DispatchWorkItemFlags = [],
    execute body: @escaping () throws -> T
  ) -> Promise<T> {
    let (promise, resolver) = Promise<T>.pending()
    let body = Kept(body)
    async(group: group, qos: qos, flags: flags) {
      do { resolver.fulfill(try body.value()) } catch { resolver.reject(error) }
    }
    return promise
  }
  /// Runs a closure on the queue. Returns a promise for the value that the closure returns or the error that the
  /// closure throws.
  @available(swift, introduced: 6)
  @preconcurrency public final func async<T>(
    _: PMKNamespacer, group: DispatchGroup? = nil, qos: DispatchQoS = .default, flags: DispatchWorkItemFlags = [],
    execute body: __owned @escaping @Sendable () throws -> T
  ) -> Promise<T> {
    let (promise, resolver) = Promise<T>.pending()
    async(group: group, qos: qos, flags: flags) {
      do { resolver.fulfill(try body()) } catch { resolver.reject(error) }
    }
    return promise
  }

  /// Runs a closure on the queue and returns a guarantee of the value that the closure returns.
  @available(swift, obsoleted: 6)
  public final func async<T>(
    _: PMKNamespacer, group: DispatchGroup? = nil, qos: DispatchQoS = .default, flags: DispatchWorkItemFlags = [],
    execute body: @escaping () -> T
  ) -> Guarantee<T> {
    let (guarantee, resolve) = Guarantee<T>.pending()
    let body = Kept(body)
    async(group: group, qos: qos, flags: flags) { resolve(body.value()) }
    return guarantee
  }
  /// Runs a closure on the queue and returns a guarantee of the value that the closure returns.
  @available(swift, introduced: 6)
  @preconcurrency public final func async<T>(
    _: PMKNamespacer, group: DispatchGroup? = nil, qos: DispatchQoS = .default, flags: DispatchWorkItemFlags = [],
    execute body: __owned @escaping @Sendable () -> T
  ) -> Guarantee<T> {
    let (guarantee, resolve) = Guarantee<T>.pending()
    async(group: group, qos: qos, flags: flags) { resolve(body()) }
    return guarantee
  }
}
