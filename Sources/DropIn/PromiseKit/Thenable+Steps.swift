public import Dispatch
public import Overmorrow

// Each operator has a form for the default queue, whose closure may belong to an actor, and one for a queue, whose
// closure may run on any thread.

extension Thenable {
  /// The result of what a closure makes of the value.
  @inlinable public func then<U: Thenable>(_ body: @escaping @isolated(any) (T) throws -> U) -> Promise<U.T> {
    Promise(_source.then(.map(body.isolation), Isolation.plain(body)))
  }
  /// The result of what a closure makes of the value; on a queue.
  @inlinable @preconcurrency public func then<U: Thenable>(
    on: DispatchQueue?, flags: DispatchWorkItemFlags? = nil, _ body: sending @escaping (T) throws -> U
  ) -> Promise<U.T> { Promise(_source.then(.on(on, flags), body)) }

  /// What a closure makes of the value.
  @inlinable public func map<U>(_ transform: @escaping @isolated(any) (T) throws -> U) -> Promise<U> {
    Promise(_source.map(.map(transform.isolation), Isolation.plain(transform)))
  }
  /// What a closure makes of the value; on a queue.
  @inlinable @preconcurrency public func map<U>(
    on: DispatchQueue?, flags: DispatchWorkItemFlags? = nil, _ transform: sending @escaping (T) throws -> U
  ) -> Promise<U> { Promise(_source.map(.on(on, flags), transform)) }

  /// What a closure makes of the value; rejected with `PMKError.compactMap` if that is `nil`.
  @inlinable public func compactMap<U>(_ transform: @escaping @isolated(any) (T) throws -> U?) -> Promise<U> {
    Promise(_source.compactMap(.map(transform.isolation), Isolation.plain(transform)))
  }
  /// What a closure makes of the value; rejected with `PMKError.compactMap` if that is `nil`; on a queue.
  @inlinable @preconcurrency public func compactMap<U>(
    on: DispatchQueue?, flags: DispatchWorkItemFlags? = nil, _ transform: sending @escaping (T) throws -> U?
  ) -> Promise<U> { Promise(_source.compactMap(.on(on, flags), transform)) }

  /// Runs a closure with the value.
  @inlinable public func done(_ body: @escaping @isolated(any) (T) throws -> Void) -> Promise<Void> {
    Promise(_source.map(.end(body.isolation), Isolation.plain(body)))
  }
  /// Runs a closure with the value; on a queue.
  @inlinable @preconcurrency public func done(
    on: DispatchQueue?, flags: DispatchWorkItemFlags? = nil, _ body: sending @escaping (T) throws -> Void
  ) -> Promise<Void> { Promise(_source.map(.on(on, flags), body)) }

  /// Runs a closure with the value, which is passed on.
  @inlinable public func get(_ body: @escaping @isolated(any) (T) throws -> Void) -> Promise<T> {
    Promise(_source.get(.end(body.isolation), Isolation.plain(body)))
  }
  /// Runs a closure with the value, which is passed on; on a queue.
  @inlinable @preconcurrency public func get(
    on: DispatchQueue?, flags: DispatchWorkItemFlags? = nil, _ body: sending @escaping (T) throws -> Void
  ) -> Promise<T> { Promise(_source.get(.on(on, flags), body)) }

  /// Runs a closure with the result, which is passed on.
  @inlinable public func tap(_ body: @escaping @isolated(any) (Result<T>) -> Void) -> Promise<T> {
    Promise(_source.tap(.map(body.isolation), Isolation.plain(body)))
  }
  /// Runs a closure with the result, which is passed on; on a queue.
  @inlinable @preconcurrency public func tap(
    on: DispatchQueue?, flags: DispatchWorkItemFlags? = nil, _ body: sending @escaping (Result<T>) -> Void
  ) -> Promise<T> { Promise(_source.tap(.on(on, flags), body)) }

  /// The same without the value.
  @inlinable public func asVoid() -> Promise<Void> { Promise(_source.map(.immediate) { _ in }) }
}
