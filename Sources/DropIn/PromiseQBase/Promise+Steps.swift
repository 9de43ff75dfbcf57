public import Dispatch
public import Foundation
internal import Overmorrow

extension Promise {
  /// A step for what a closure returns of the value, or for the error that it throws.
  ///
  /// - Parameters:
  ///   - queue: Where `f` runs.
  ///   - timeout: How many seconds after `f` has begun the step is rejected with ``PromiseError/timedOut``; zero or
  ///     less is never.
  ///   - retry: How often to try again after an error.
  ///   - f: Called with the value.
  @discardableResult
  public func then<U>(
    _ queue: DispatchQueue = .global(), timeout: TimeInterval = 0, retry: Int = 0, f: @escaping ((T) throws -> U)
  ) -> Promise<U> {
    step(queue, timeout: timeout, retry: retry) { value, _ in Promise<U>.Core(fulfilled: Kept(try f(value))) }
  }

  /// A step that runs a closure with the value; what it throws rejects the step.
  ///
  /// - Parameters:
  ///   - queue: Where `f` runs.
  ///   - timeout: How many seconds after `f` has begun the step is rejected with ``PromiseError/timedOut``; zero or
  ///     less is never.
  ///   - retry: How often to try again after an error.
  ///   - f: Called with the value.
  @discardableResult
  public func then(
    _ queue: DispatchQueue = .global(), timeout: TimeInterval = 0, retry: Int = 0, f: @escaping ((T) throws -> Void)
  ) -> Promise<Void> {
    step(queue, timeout: timeout, retry: retry) { value, _ in Promise<Void>.Core(fulfilled: Kept(try f(value))) }
  }

  /// A step for the result of the promise that a closure returns of the value, or for the error that it throws.
  ///
  /// The promise returned becomes part of the chain: it is suspended, resumed and cancelled with it.
  ///
  /// - Parameters:
  ///   - queue: Where `f` runs.
  ///   - timeout: How many seconds after `f` has begun the step is rejected with ``PromiseError/timedOut``; zero or
  ///     less is never.
  ///   - retry: How often to try again after an error, of the promise returned as well.
  ///   - f: Called with the value.
  @discardableResult
  public func then<U>(
    _ queue: DispatchQueue = .global(), timeout: TimeInterval = 0, retry: Int = 0,
    f: @escaping ((T) throws -> Promise<U>)
  ) -> Promise<U> {
    step(queue, timeout: timeout, retry: retry) { value, chain in Promise<U>.followed(try f(value), in: chain) }
  }

  /// A step that a closure resolves, now or later, by work that can be suspended.
  ///
  /// - Parameters:
  ///   - queue: Where `f` runs.
  ///   - timeout: How many seconds after `f` has begun the step is rejected with ``PromiseError/timedOut``; zero or
  ///     less is never.
  ///   - retry: How often to try again after an error.
  ///   - f: Called with the value, what fulfils the step, what rejects it, and a place for what is to be suspended,
  ///     resumed and cancelled with it. The first call counts, and so does what `f` throws.
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

  /// A step that a closure resolves, now or later.
  ///
  /// - Parameters:
  ///   - queue: Where `f` runs.
  ///   - timeout: How many seconds after `f` has begun the step is rejected with ``PromiseError/timedOut``; zero or
  ///     less is never.
  ///   - retry: How often to try again after an error.
  ///   - f: Called with the value, what fulfils the step, and what rejects it. The first call counts, and so does what
  ///     `f` throws.
  @discardableResult
  public func then<U>(
    _ queue: DispatchQueue = .global(), timeout: TimeInterval = 0, retry: Int = 0,
    f: @escaping (T, @escaping (U) -> Void, @escaping (any Error) -> Void) throws -> Void
  ) -> Promise<U> {
    step(queue, timeout: timeout, retry: retry) { value, chain in
      Promise<U>.resolved(in: chain) { resolve, reject, _ in try f(value, resolve, reject) }
    }
  }

  /// A step that deals with the error: fulfilled when `f` has run, or when there is no error; rejected with what `f`
  /// throws.
  ///
  /// - Parameters:
  ///   - queue: Where `f` runs.
  ///   - timeout: How many seconds after `f` has begun the step is rejected with ``PromiseError/timedOut``; zero or
  ///     less is never.
  ///   - retry: How often to try again after `f` has thrown an error.
  ///   - f: Called with the error.
  @discardableResult
  public func `catch`(
    _ queue: DispatchQueue = .global(), timeout: TimeInterval = 0, retry: Int = 0,
    f: @escaping ((any Error) throws -> Void)
  ) -> Promise<Void> {
    let work = Work<any Error, Void>(queue, timeout: timeout, retry: retry, in: handle.chain) { error in
      Promise<Void>.Core(fulfilled: Kept(try f(error)))
    }
    let outcome = core.mapResult(on: .immediate) { result -> PromiseResult<Kept<Void>, any Error> in
      result.isCancelled ? .error(PromiseError.cancelled) : result.map { _ in Kept(()) }
    }
    let step = outcome.flatMapError(on: work.context) { work.run($0, isForEnd: true) }
    return Promise<Void>(work.end(step, after: outcome), in: handle)
  }

  /// A step that runs a closure whatever the result, which is passed on.
  ///
  /// - Parameters:
  ///   - queue: Where `f` runs.
  ///   - f: Called without arguments.
  @discardableResult
  public func finally(_ queue: DispatchQueue = .global(), f: @escaping (() -> Void)) -> Promise<T> {
    let work = Work<PromiseResult<Kept<T>, any Error>, T>(queue, in: handle.chain) { result in
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
    let work = Work<T, U>(queue, timeout: timeout, retry: retry, in: chain) { value in try attempt(value, chain) }
    let step = core.flatMap(on: work.context) { work.run($0.value) }
    return Promise<U>(work.end(step, after: core), in: handle)
  }
}
