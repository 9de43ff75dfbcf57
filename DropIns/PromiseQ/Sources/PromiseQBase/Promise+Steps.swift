public import Dispatch
public import Foundation
internal import Overmorrow

extension Promise {
  /// Adds a step that transforms the value with a closure. An error that the closure throws rejects the step.
  ///
  /// - Parameters:
  ///   - queue: The queue on which `f` runs; a global queue of default quality of service by default.
  ///   - timeout: The time limit of the step in seconds, counted from the beginning of `f`. When the limit passes, the
  ///     step is rejected with ``PromiseError/timedOut``. A value of zero or less means no limit; zero by default.
  ///   - retry: The maximum number of further attempts after an error; none by default.
  ///   - f: The closure to call with the value.
  @discardableResult
  public func then<U>(
    _ queue: DispatchQueue = .global(), timeout: TimeInterval = 0, retry: Int = 0, f: @escaping ((T) throws -> U)
  ) -> Promise<U> {
    step(queue, timeout: timeout, retry: retry) { value, _ in Promise<U>.Core(fulfilled: Kept(try f(value))) }
  }

  /// Adds a step that runs a closure with the value. An error that the closure throws rejects the step.
  ///
  /// - Parameters:
  ///   - queue: The queue on which `f` runs; a global queue of default quality of service by default.
  ///   - timeout: The time limit of the step in seconds, counted from the beginning of `f`. When the limit passes, the
  ///     step is rejected with ``PromiseError/timedOut``. A value of zero or less means no limit; zero by default.
  ///   - retry: The maximum number of further attempts after an error; none by default.
  ///   - f: The closure to call with the value.
  @discardableResult
  public func then(
    _ queue: DispatchQueue = .global(), timeout: TimeInterval = 0, retry: Int = 0, f: @escaping ((T) throws -> Void)
  ) -> Promise<Void> {
    step(queue, timeout: timeout, retry: retry) { value, _ in Promise<Void>.Core(fulfilled: Kept(try f(value))) }
  }

  /// Adds a step that continues with the promise that a closure returns for the value. An error that the closure throws
  /// rejects the step.
  ///
  /// The promise that the closure returns is suspended, resumed and cancelled with the chain.
  ///
  /// - Parameters:
  ///   - queue: The queue on which `f` runs; a global queue of default quality of service by default.
  ///   - timeout: The time limit of the step in seconds, counted from the beginning of `f`. When the limit passes, the
  ///     step is rejected with ``PromiseError/timedOut``. A value of zero or less means no limit; zero by default.
  ///   - retry: The maximum number of further attempts after an error of `f` or of the promise that `f` returns; none
  ///     by default.
  ///   - f: The closure to call with the value.
  @discardableResult
  public func then<U>(
    _ queue: DispatchQueue = .global(), timeout: TimeInterval = 0, retry: Int = 0,
    f: @escaping ((T) throws -> Promise<U>)
  ) -> Promise<U> {
    step(queue, timeout: timeout, retry: retry) { value, chain in Promise<U>.followed(try f(value), in: chain) }
  }

  /// Adds a step that a closure resolves, now or later, by work that can be suspended.
  ///
  /// - Parameters:
  ///   - queue: The queue on which `f` runs; a global queue of default quality of service by default.
  ///   - timeout: The time limit of the step in seconds, counted from the beginning of `f`. When the limit passes, the
  ///     step is rejected with ``PromiseError/timedOut``. A value of zero or less means no limit; zero by default.
  ///   - retry: The maximum number of further attempts after an error; none by default.
  ///   - f: The closure to call with the value. It also receives a function that fulfils the step and a function that
  ///     rejects the step. Only the first call of these functions has an effect. An error that `f` throws counts as
  ///     such a call. The work that `f` assigns to the last parameter is suspended, resumed and cancelled with the
  ///     step.
  @discardableResult
  public func then<U>(
    _ queue: DispatchQueue = .global(), timeout: TimeInterval = 0, retry: Int = 0,
    f:
      @escaping (
        T, @escaping (U) -> Void, @escaping (any Error) -> Void, inout (any Asyncable)?
      ) throws -> Void
  ) -> Promise<U> {
    step(queue, timeout: timeout, retry: retry) { value, chain in
      Promise<U>.resolved(in: chain) { resolve, reject, task in try f(value, resolve, reject, &task) }
    }
  }

  /// Adds a step that a closure resolves, now or later.
  ///
  /// - Parameters:
  ///   - queue: The queue on which `f` runs; a global queue of default quality of service by default.
  ///   - timeout: The time limit of the step in seconds, counted from the beginning of `f`. When the limit passes, the
  ///     step is rejected with ``PromiseError/timedOut``. A value of zero or less means no limit; zero by default.
  ///   - retry: The maximum number of further attempts after an error; none by default.
  ///   - f: The closure to call with the value. It also receives a function that fulfils the step and a function that
  ///     rejects the step. Only the first call of these functions has an effect. An error that `f` throws counts as
  ///     such a call.
  @discardableResult
  public func then<U>(
    _ queue: DispatchQueue = .global(), timeout: TimeInterval = 0, retry: Int = 0,
    f: @escaping (T, @escaping (U) -> Void, @escaping (any Error) -> Void) throws -> Void
  ) -> Promise<U> {
    step(queue, timeout: timeout, retry: retry) { value, chain in
      Promise<U>.resolved(in: chain) { resolve, reject, _ in try f(value, resolve, reject) }
    }
  }

  /// Adds a step that handles the error. The step is fulfilled when `f` has returned, or when there is no error. An
  /// error that `f` throws rejects the step.
  ///
  /// - Parameters:
  ///   - queue: The queue on which `f` runs; a global queue of default quality of service by default.
  ///   - timeout: The time limit of the step in seconds, counted from the beginning of `f`. When the limit passes, the
  ///     step is rejected with ``PromiseError/timedOut``. A value of zero or less means no limit; zero by default.
  ///   - retry: The maximum number of further attempts after `f` has thrown an error; none by default.
  ///   - f: The closure to call with the error.
  @discardableResult
  public func `catch`(
    _ queue: DispatchQueue = .global(), timeout: TimeInterval = 0, retry: Int = 0,
    f: @escaping ((any Error) throws -> Void)
  ) -> Promise<Void> {
    let work = Work<any Error, Void>(on: StepQueue.context(for: queue), timeout: timeout, retry: retry, in: handle) {
      error in
      Promise<Void>.Core(fulfilled: Kept(try f(error)))
    }
    let outcome = core.mapResult(on: .immediate) { result -> PromiseResult<Kept<Void>, any Error> in
      result.isCancelled ? .error(PromiseError.cancelled) : result.map { _ in Kept(()) }
    }
    let step = outcome.flatMapError(on: work.context) { work.run($0, isForEnd: true) }
    return Promise<Void>(work.end(step, after: outcome), in: handle)
  }

  /// Adds a step that runs a closure whatever the result. The step then has the result of the step before it.
  ///
  /// - Parameters:
  ///   - queue: The queue on which `f` runs; a global queue of default quality of service by default.
  ///   - f: The closure to call.
  @discardableResult
  public func finally(_ queue: DispatchQueue = .global(), f: @escaping (() -> Void)) -> Promise<T> {
    let work = Work<PromiseResult<Kept<T>, any Error>, T>(on: StepQueue.context(for: queue), in: handle) { result in
      f()
      return Core(with: result)
    }
    let step = core.flatMapResult(on: work.context) { work.run($0, isForEnd: true) }
    return Promise(work.end(step, after: core), in: handle)
  }

  private func step<U>(
    _ queue: DispatchQueue, timeout: TimeInterval, retry: Int,
    _ attempt: @escaping (T, Chain) throws -> Promise<U>.Core
  ) -> Promise<U> {
    let chain = handle.chain
    let work = Work<T, U>(on: StepQueue.context(for: queue), timeout: timeout, retry: retry, in: handle) { value in
      try attempt(value, chain)
    }
    let step = core.flatMap(on: work.context) { work.run($0.value) }
    return Promise<U>(work.end(step, after: core), in: handle)
  }
}
