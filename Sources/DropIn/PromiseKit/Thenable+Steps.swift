public import Dispatch
public import Overmorrow

// Each operator has two forms. The one without a queue takes a closure that may be isolated to an actor. The one with a
// queue takes a closure that may run on any thread.

extension Thenable {
  /// Continues with the thenable that a closure returns for the value.
  @inlinable public func then<U: Thenable>(_ body: @escaping @isolated(any) (T) throws -> U) -> Promise<U.T> {
    Promise(_source.then(.map(body.isolation), Isolation.plain(body)))
  }
  /// Continues with the thenable that a closure returns for the value. The closure runs on a queue.
  @inlinable @preconcurrency public func then<U: Thenable>(
    on: DispatchQueue?, flags: DispatchWorkItemFlags? = nil, _ body: sending @escaping (T) throws -> U
  ) -> Promise<U.T> { Promise(_source.then(.on(on, flags), body)) }

  /// Transforms the value with a closure.
  @inlinable public func map<U>(_ transform: @escaping @isolated(any) (T) throws -> U) -> Promise<U> {
    Promise(_source.map(.map(transform.isolation), Isolation.plain(transform)))
  }
  /// Transforms the value with a closure, on a queue.
  @inlinable @preconcurrency public func map<U>(
    on: DispatchQueue?, flags: DispatchWorkItemFlags? = nil, _ transform: sending @escaping (T) throws -> U
  ) -> Promise<U> { Promise(_source.map(.on(on, flags), transform)) }

  /// Transforms the value with a closure. The promise returned is rejected with `PMKError.compactMap` if the closure
  /// returns `nil`.
  @inlinable public func compactMap<U>(_ transform: @escaping @isolated(any) (T) throws -> U?) -> Promise<U> {
    Promise(_source.compactMap(.map(transform.isolation), Isolation.plain(transform)))
  }
  /// Transforms the value with a closure, on a queue. The promise returned is rejected with `PMKError.compactMap` if
  /// the closure returns `nil`.
  @inlinable @preconcurrency public func compactMap<U>(
    on: DispatchQueue?, flags: DispatchWorkItemFlags? = nil, _ transform: sending @escaping (T) throws -> U?
  ) -> Promise<U> { Promise(_source.compactMap(.on(on, flags), transform)) }

  /// Runs a closure with the value, and drops the value.
  @inlinable public func done(_ body: @escaping @isolated(any) (T) throws -> Void) -> Promise<Void> {
    Promise(_source.map(.end(body.isolation), Isolation.plain(body)))
  }
  /// Runs a closure on a queue with the value, and drops the value.
  @inlinable @preconcurrency public func done(
    on: DispatchQueue?, flags: DispatchWorkItemFlags? = nil, _ body: sending @escaping (T) throws -> Void
  ) -> Promise<Void> { Promise(_source.map(.on(on, flags), body)) }

  /// Runs a closure with the value, and passes the value on.
  @inlinable public func get(_ body: @escaping @isolated(any) (T) throws -> Void) -> Promise<T> {
    Promise(_source.get(.end(body.isolation), Isolation.plain(body)))
  }
  /// Runs a closure on a queue with the value, and passes the value on.
  @inlinable @preconcurrency public func get(
    on: DispatchQueue?, flags: DispatchWorkItemFlags? = nil, _ body: sending @escaping (T) throws -> Void
  ) -> Promise<T> { Promise(_source.get(.on(on, flags), body)) }

  /// Runs a closure with the result, and passes the result on.
  @inlinable public func tap(_ body: @escaping @isolated(any) (Result<T>) -> Void) -> Promise<T> {
    Promise(_source.tap(.map(body.isolation), Isolation.plain(body)))
  }
  /// Runs a closure on a queue with the result, and passes the result on.
  @inlinable @preconcurrency public func tap(
    on: DispatchQueue?, flags: DispatchWorkItemFlags? = nil, _ body: sending @escaping (Result<T>) -> Void
  ) -> Promise<T> { Promise(_source.tap(.on(on, flags), body)) }

  /// Returns a promise with the same result, without its value.
  @inlinable public func asVoid() -> Promise<Void> { Promise(_source.map(.immediate) { _ in }) }
}
