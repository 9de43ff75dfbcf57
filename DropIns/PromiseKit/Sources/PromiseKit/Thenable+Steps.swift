public import Dispatch
public import Overmorrow

// Each operator has one form without a queue and two forms with a queue. Of the forms with a queue, one is for the
// Swift 5 language mode, and one is for the Swift 6 mode.
//
// The form with a queue for the Swift 5 language mode is the declaration of the original library. If the closure had
// another type, or if the form were marked `@preconcurrency`, the form would cause warnings in the Swift 5 mode. The
// form for the Swift 6 mode takes a `@Sendable` closure, so that the compiler reports the use of state that is not safe
// on another thread. This form is marked `@preconcurrency`, so that the compiler reports warnings instead of errors.
// Because the symbol of a `@preconcurrency` declaration leaves `@Sendable` out, the two forms would have the same
// symbol. The only purpose of `__owned` is to give them different symbols.

extension Thenable {
  /// Continues with the thenable that a closure returns for the value.
  @inlinable public func then<U: Thenable>(_ body: @escaping @isolated(any) (T) throws -> U) -> Promise<U.T> {
    Promise(_source.then(.map(body.isolation), PromiseAdapter.plain(body)))
  }
  /// Continues with the thenable that a closure returns for the value. The closure runs on the queue `on`, or without a
  /// hop if `on` is `nil`.
  @available(swift, obsoleted: 6)
  @inlinable public func then<U: Thenable>(
    on: DispatchQueue?, flags: DispatchWorkItemFlags? = nil, _ body: @escaping (T) throws -> U
  ) -> Promise<U.T> { Promise(_source.then(.on(on, flags), body)) }
  /// Continues with the thenable that a closure returns for the value. A closure that is isolated to an actor runs on
  /// that actor. Any other closure runs on the queue `on`, or without a hop if `on` is `nil`.
  @available(swift, introduced: 6)
  @inlinable @preconcurrency public func then<U: Thenable>(
    on: DispatchQueue?, flags: DispatchWorkItemFlags? = nil,
    _ body: __owned @escaping @Sendable @isolated(any) (T) throws -> U
  ) -> Promise<U.T> { Promise(_source.then(.on(on, flags, body.isolation), PromiseAdapter.plain(body))) }

  /// Transforms the value with a closure.
  @inlinable public func map<U>(_ transform: @escaping @isolated(any) (T) throws -> U) -> Promise<U> {
    Promise(_source.map(.map(transform.isolation), PromiseAdapter.plain(transform)))
  }
  /// Transforms the value with a closure. The closure runs on the queue `on`, or without a hop if `on` is `nil`.
  @available(swift, obsoleted: 6)
  @inlinable public func map<U>(
    on: DispatchQueue?, flags: DispatchWorkItemFlags? = nil, _ transform: @escaping (T) throws -> U
  ) -> Promise<U> { Promise(_source.map(.on(on, flags), transform)) }
  /// Transforms the value with a closure. A closure that is isolated to an actor runs on that actor. Any other closure
  /// runs on the queue `on`, or without a hop if `on` is `nil`.
  @available(swift, introduced: 6)
  @inlinable @preconcurrency public func map<U>(
    on: DispatchQueue?, flags: DispatchWorkItemFlags? = nil,
    _ transform: __owned @escaping @Sendable @isolated(any) (T) throws -> U
  ) -> Promise<U> { Promise(_source.map(.on(on, flags, transform.isolation), PromiseAdapter.plain(transform))) }

  /// Transforms the value with a closure. If the closure returns `nil`, the promise returned is rejected with
  /// `PMKError.compactMap`.
  @inlinable public func compactMap<U>(_ transform: @escaping @isolated(any) (T) throws -> U?) -> Promise<U> {
    Promise(_source.compactMap(.map(transform.isolation), PromiseAdapter.plain(transform)))
  }
  /// Transforms the value with a closure. If the closure returns `nil`, the promise returned is rejected with
  /// `PMKError.compactMap`. The closure runs on the queue `on`, or without a hop if `on` is `nil`.
  @available(swift, obsoleted: 6)
  @inlinable public func compactMap<U>(
    on: DispatchQueue?, flags: DispatchWorkItemFlags? = nil, _ transform: @escaping (T) throws -> U?
  ) -> Promise<U> { Promise(_source.compactMap(.on(on, flags), transform)) }
  /// Transforms the value with a closure. If the closure returns `nil`, the promise returned is rejected with
  /// `PMKError.compactMap`. A closure that is isolated to an actor runs on that actor. Any other closure runs on the
  /// queue `on`, or without a hop if `on` is `nil`.
  @available(swift, introduced: 6)
  @inlinable @preconcurrency public func compactMap<U>(
    on: DispatchQueue?, flags: DispatchWorkItemFlags? = nil,
    _ transform: __owned @escaping @Sendable @isolated(any) (T) throws -> U?
  ) -> Promise<U> { Promise(_source.compactMap(.on(on, flags, transform.isolation), PromiseAdapter.plain(transform))) }

  /// Runs a closure with the value, and drops the value.
  @inlinable public func done(_ body: @escaping @isolated(any) (T) throws -> Void) -> Promise<Void> {
    Promise(_source.map(.end(body.isolation), PromiseAdapter.plain(body)))
  }
  /// Runs a closure with the value, and drops the value. The closure runs on the queue `on`, or without a hop if `on`
  /// is `nil`.
  @available(swift, obsoleted: 6)
  @inlinable public func done(
    on: DispatchQueue?, flags: DispatchWorkItemFlags? = nil, _ body: @escaping (T) throws -> Void
  ) -> Promise<Void> { Promise(_source.map(.on(on, flags), body)) }
  /// Runs a closure with the value, and drops the value. A closure that is isolated to an actor runs on that actor. Any
  /// other closure runs on the queue `on`, or without a hop if `on` is `nil`.
  @available(swift, introduced: 6)
  @inlinable @preconcurrency public func done(
    on: DispatchQueue?, flags: DispatchWorkItemFlags? = nil,
    _ body: __owned @escaping @Sendable @isolated(any) (T) throws -> Void
  ) -> Promise<Void> { Promise(_source.map(.on(on, flags, body.isolation), PromiseAdapter.plain(body))) }

  /// Runs a closure with the value, and passes the value on.
  @inlinable public func get(_ body: @escaping @isolated(any) (T) throws -> Void) -> Promise<T> {
    Promise(_source.get(.end(body.isolation), PromiseAdapter.plain(body)))
  }
  /// Runs a closure with the value, and passes the value on. The closure runs on the queue `on`, or without a hop if
  /// `on` is `nil`.
  @available(swift, obsoleted: 6)
  @inlinable public func get(
    on: DispatchQueue?, flags: DispatchWorkItemFlags? = nil, _ body: @escaping (T) throws -> Void
  ) -> Promise<T> { Promise(_source.get(.on(on, flags), body)) }
  /// Runs a closure with the value, and passes the value on. A closure that is isolated to an actor runs on that actor.
  /// Any other closure runs on the queue `on`, or without a hop if `on` is `nil`.
  @available(swift, introduced: 6)
  @inlinable @preconcurrency public func get(
    on: DispatchQueue?, flags: DispatchWorkItemFlags? = nil,
    _ body: __owned @escaping @Sendable @isolated(any) (T) throws -> Void
  ) -> Promise<T> { Promise(_source.get(.on(on, flags, body.isolation), PromiseAdapter.plain(body))) }

  /// Runs a closure with the result, and passes the result on.
  @inlinable public func tap(_ body: @escaping @isolated(any) (Result<T>) -> Void) -> Promise<T> {
    Promise(_source.tap(.map(body.isolation), PromiseAdapter.plain(body)))
  }
  /// Runs a closure with the result, and passes the result on. The closure runs on the queue `on`, or without a hop if
  /// `on` is `nil`.
  @available(swift, obsoleted: 6)
  @inlinable public func tap(
    on: DispatchQueue?, flags: DispatchWorkItemFlags? = nil, _ body: @escaping (Result<T>) -> Void
  ) -> Promise<T> { Promise(_source.tap(.on(on, flags), body)) }
  /// Runs a closure with the result, and passes the result on. A closure that is isolated to an actor runs on that
  /// actor. Any other closure runs on the queue `on`, or without a hop if `on` is `nil`.
  @available(swift, introduced: 6)
  @inlinable @preconcurrency public func tap(
    on: DispatchQueue?, flags: DispatchWorkItemFlags? = nil,
    _ body: __owned @escaping @Sendable @isolated(any) (Result<T>) -> Void
  ) -> Promise<T> { Promise(_source.tap(.on(on, flags, body.isolation), PromiseAdapter.plain(body))) }

  /// Returns a promise that is fulfilled without a value, or rejected with the same error.
  @inlinable public func asVoid() -> Promise<Void> { Promise(_source.map(.immediate) { _ in }) }
}
