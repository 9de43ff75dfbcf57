public import Dispatch
public import Overmorrow

/// A thenable that may be rejected. This protocol has no requirements besides those of ``Thenable``.
public protocol CatchMixin: Thenable {}

/// The end of a chain.
public class PMKFinalizer {
  private let observe: (PromiseContext, @escaping () -> Void) -> Void

  @usableFromInline init<T>(_ end: _Source<T>) { observe = { context, body in _ = end.tap(context) { _ in body() } } }

  /// Runs a closure when the whole chain has ended, whatever the result.
  public func finally(_ body: @escaping @isolated(any) () -> Void) {
    observe(.end(body.isolation), PromiseAdapter.plain(body))
  }
  /// Runs a closure when the whole chain has ended, whatever the result. The closure runs on the queue `on`, or without
  /// a hop if `on` is `nil`.
  @available(swift, obsoleted: 6)
  public func finally(
    on: DispatchQueue?, flags: DispatchWorkItemFlags? = nil, _ body: @escaping () -> Void
  ) { observe(.on(on, flags), body) }
  /// Runs a closure when the whole chain has ended, whatever the result. A closure that is isolated to an actor runs on
  /// that actor. Any other closure runs on the queue `on`, or without a hop if `on` is `nil`.
  @available(swift, introduced: 6)
  @preconcurrency public func finally(
    on: DispatchQueue?, flags: DispatchWorkItemFlags? = nil,
    _ body: __owned @escaping @Sendable @isolated(any) () -> Void
  ) { observe(.on(on, flags, body.isolation), PromiseAdapter.plain(body)) }
}

extension CatchMixin {
  /// Runs a closure with an error that `policy` includes, and ends the chain.
  @inlinable @discardableResult public func `catch`(
    policy: CatchPolicy = conf.catchPolicy, _ body: @escaping @isolated(any) (any Error) -> Void
  ) -> PMKFinalizer { _source.catch(.end(body.isolation), policy, PromiseAdapter.plain(body)) }
  /// Runs a closure with an error that `policy` includes, and ends the chain. The closure runs on the queue `on`, or
  /// without a hop if `on` is `nil`.
  @available(swift, obsoleted: 6)
  @inlinable @discardableResult public func `catch`(
    on: DispatchQueue?, flags: DispatchWorkItemFlags? = nil, policy: CatchPolicy = conf.catchPolicy,
    _ body: @escaping (any Error) -> Void
  ) -> PMKFinalizer { _source.catch(.on(on, flags), policy, body) }
  /// Runs a closure with an error that `policy` includes, and ends the chain. A closure that is isolated to an actor
  /// runs on that actor. Any other closure runs on the queue `on`, or without a hop if `on` is `nil`.
  @available(swift, introduced: 6)
  @inlinable @preconcurrency @discardableResult public func `catch`(
    on: DispatchQueue?, flags: DispatchWorkItemFlags? = nil, policy: CatchPolicy = conf.catchPolicy,
    _ body: __owned @escaping @Sendable @isolated(any) (any Error) -> Void
  ) -> PMKFinalizer { _source.catch(.on(on, flags, body.isolation), policy, PromiseAdapter.plain(body)) }

  /// Ends the chain, and logs the error of the chain if `conf.catchPolicy` includes that error.
  @inlinable @discardableResult public func cauterize() -> PMKFinalizer { self.catch { log(.cauterized($0)) } }

  /// Continues with the thenable that a closure returns for an error. An error that `policy` excludes passes through.
  @inlinable public func recover<U: Thenable>(
    policy: CatchPolicy = conf.catchPolicy, _ body: @escaping @isolated(any) (any Error) throws -> U
  ) -> Promise<T> where U.T == T { Promise(_source.recover(.map(body.isolation), policy, PromiseAdapter.plain(body))) }
  /// Continues with the thenable that a closure returns for an error. An error that `policy` excludes passes through.
  /// The closure runs on the queue `on`, or without a hop if `on` is `nil`.
  @available(swift, obsoleted: 6)
  @inlinable public func recover<U: Thenable>(
    on: DispatchQueue?, flags: DispatchWorkItemFlags? = nil, policy: CatchPolicy = conf.catchPolicy,
    _ body: @escaping (any Error) throws -> U
  ) -> Promise<T> where U.T == T { Promise(_source.recover(.on(on, flags), policy, body)) }
  /// Continues with the thenable that a closure returns for an error. An error that `policy` excludes passes through. A
  /// closure that is isolated to an actor runs on that actor. Any other closure runs on the queue `on`, or without a
  /// hop if `on` is `nil`.
  @available(swift, introduced: 6)
  @inlinable @preconcurrency public func recover<U: Thenable>(
    on: DispatchQueue?, flags: DispatchWorkItemFlags? = nil, policy: CatchPolicy = conf.catchPolicy,
    _ body: __owned @escaping @Sendable @isolated(any) (any Error) throws -> U
  ) -> Promise<T> where U.T == T {
    Promise(_source.recover(.on(on, flags, body.isolation), policy, PromiseAdapter.plain(body)))
  }

  /// Continues after any error, cancellation included, with the guarantee that a closure returns.
  @inlinable @discardableResult public func recover(
    _ body: @escaping @isolated(any) (any Error) -> Guarantee<T>
  ) -> Guarantee<T> {
    Guarantee(_source.recover(.map(body.isolation), .allErrors, PromiseAdapter.plain(body)))
  }
  /// Continues after any error, cancellation included, with the guarantee that a closure returns. The closure runs on
  /// the queue `on`, or without a hop if `on` is `nil`.
  @available(swift, obsoleted: 6)
  @inlinable @discardableResult public func recover(
    on: DispatchQueue?, flags: DispatchWorkItemFlags? = nil, _ body: @escaping (any Error) -> Guarantee<T>
  ) -> Guarantee<T> { Guarantee(_source.recover(.on(on, flags), .allErrors, body)) }
  /// Continues after any error, cancellation included, with the guarantee that a closure returns. A closure that is
  /// isolated to an actor runs on that actor. Any other closure runs on the queue `on`, or without a hop if `on` is
  /// `nil`.
  @available(swift, introduced: 6)
  @inlinable @preconcurrency @discardableResult public func recover(
    on: DispatchQueue?, flags: DispatchWorkItemFlags? = nil,
    _ body: __owned @escaping @Sendable @isolated(any) (any Error) -> Guarantee<T>
  ) -> Guarantee<T> {
    Guarantee(_source.recover(.on(on, flags, body.isolation), .allErrors, PromiseAdapter.plain(body)))
  }

  /// Runs a closure whatever the result, and passes the result on.
  @inlinable public func ensure(_ body: @escaping @isolated(any) () -> Void) -> Promise<T> {
    let plain = PromiseAdapter.plain(body)
    return Promise(_source.tap(.end(body.isolation)) { _ in plain() })
  }
  /// Runs a closure whatever the result, and passes the result on. The closure runs on the queue `on`, or without a hop
  /// if `on` is `nil`.
  @available(swift, obsoleted: 6)
  @inlinable public func ensure(
    on: DispatchQueue?, flags: DispatchWorkItemFlags? = nil, _ body: @escaping () -> Void
  ) -> Promise<T> { Promise(_source.tap(.on(on, flags)) { _ in body() }) }
  /// Runs a closure whatever the result, and passes the result on. A closure that is isolated to an actor runs on that
  /// actor. Any other closure runs on the queue `on`, or without a hop if `on` is `nil`.
  @available(swift, introduced: 6)
  @inlinable @preconcurrency public func ensure(
    on: DispatchQueue?, flags: DispatchWorkItemFlags? = nil,
    _ body: __owned @escaping @Sendable @isolated(any) () -> Void
  ) -> Promise<T> {
    let plain = PromiseAdapter.plain(body)
    return Promise(_source.tap(.on(on, flags, body.isolation)) { _ in plain() })
  }

  /// Runs a closure whatever the result, waits for the guarantee that the closure returns, and passes the result on.
  @inlinable public func ensureThen(_ body: @escaping @isolated(any) () -> Guarantee<Void>) -> Promise<T> {
    Promise(_source.ensureThen(.end(body.isolation), PromiseAdapter.plain(body)))
  }
  /// Runs a closure whatever the result, waits for the guarantee that the closure returns, and passes the result on.
  /// The closure runs on the queue `on`, or without a hop if `on` is `nil`.
  @available(swift, obsoleted: 6)
  @inlinable public func ensureThen(
    on: DispatchQueue?, flags: DispatchWorkItemFlags? = nil, _ body: @escaping () -> Guarantee<Void>
  ) -> Promise<T> { Promise(_source.ensureThen(.on(on, flags), body)) }
  /// Runs a closure whatever the result, waits for the guarantee that the closure returns, and passes the result on. A
  /// closure that is isolated to an actor runs on that actor. Any other closure runs on the queue `on`, or without a
  /// hop if `on` is `nil`.
  @available(swift, introduced: 6)
  @inlinable @preconcurrency public func ensureThen(
    on: DispatchQueue?, flags: DispatchWorkItemFlags? = nil,
    _ body: __owned @escaping @Sendable @isolated(any) () -> Guarantee<Void>
  ) -> Promise<T> { Promise(_source.ensureThen(.on(on, flags, body.isolation), PromiseAdapter.plain(body))) }
}

extension CatchMixin where T == Void {
  /// Runs a closure with any error, cancellation included. The guarantee returned is fulfilled when the closure has
  /// returned, or when there is no error.
  @inlinable @discardableResult public func recover(
    _ body: @escaping @isolated(any) (any Error) -> Void
  ) -> Guarantee<Void> {
    Guarantee(_source.recover(.map(body.isolation), .allErrors, PromiseAdapter.plain(body)))
  }
  /// Runs a closure with any error, cancellation included. The guarantee returned is fulfilled when the closure has
  /// returned, or when there is no error. The closure runs on the queue `on`, or without a hop if `on` is `nil`.
  @available(swift, obsoleted: 6)
  @inlinable @discardableResult public func recover(
    on: DispatchQueue?, flags: DispatchWorkItemFlags? = nil, _ body: @escaping (any Error) -> Void
  ) -> Guarantee<Void> { Guarantee(_source.recover(.on(on, flags), .allErrors, body)) }
  /// Runs a closure with any error, cancellation included. The guarantee returned is fulfilled when the closure has
  /// returned, or when there is no error. A closure that is isolated to an actor runs on that actor. Any other closure
  /// runs on the queue `on`, or without a hop if `on` is `nil`.
  @available(swift, introduced: 6)
  @inlinable @preconcurrency @discardableResult public func recover(
    on: DispatchQueue?, flags: DispatchWorkItemFlags? = nil,
    _ body: __owned @escaping @Sendable @isolated(any) (any Error) -> Void
  ) -> Guarantee<Void> {
    Guarantee(_source.recover(.on(on, flags, body.isolation), .allErrors, PromiseAdapter.plain(body)))
  }

  /// Runs a closure with an error that `policy` includes. The promise returned is fulfilled when the closure has
  /// returned, or when there is no error. An error that the closure throws or that `policy` excludes rejects the
  /// promise returned.
  @inlinable public func recover(
    policy: CatchPolicy = conf.catchPolicy, _ body: @escaping @isolated(any) (any Error) throws -> Void
  ) -> Promise<Void> { Promise(_source.recover(.map(body.isolation), policy, PromiseAdapter.plain(body))) }
  /// Runs a closure with an error that `policy` includes. The promise returned is fulfilled when the closure has
  /// returned, or when there is no error. An error that the closure throws or that `policy` excludes rejects the
  /// promise returned. The closure runs on the queue `on`, or without a hop if `on` is `nil`.
  @available(swift, obsoleted: 6)
  @inlinable public func recover(
    on: DispatchQueue?, flags: DispatchWorkItemFlags? = nil, policy: CatchPolicy = conf.catchPolicy,
    _ body: @escaping (any Error) throws -> Void
  ) -> Promise<Void> { Promise(_source.recover(.on(on, flags), policy, body)) }
  /// Runs a closure with an error that `policy` includes. The promise returned is fulfilled when the closure has
  /// returned, or when there is no error. An error that the closure throws or that `policy` excludes rejects the
  /// promise returned. A closure that is isolated to an actor runs on that actor. Any other closure runs on the queue
  /// `on`, or without a hop if `on` is `nil`.
  @available(swift, introduced: 6)
  @inlinable @preconcurrency public func recover(
    on: DispatchQueue?, flags: DispatchWorkItemFlags? = nil, policy: CatchPolicy = conf.catchPolicy,
    _ body: __owned @escaping @Sendable @isolated(any) (any Error) throws -> Void
  ) -> Promise<Void> { Promise(_source.recover(.on(on, flags, body.isolation), policy, PromiseAdapter.plain(body))) }
}
