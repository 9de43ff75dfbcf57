public import Dispatch
public import Overmorrow

/// A thenable that may be rejected. A type of your own needs only the requirements of ``Thenable``.
public protocol CatchMixin: Thenable {}

/// The end of a chain.
public class PMKFinalizer {
  private let observe: (PromiseContext, @escaping () -> Void) -> Void

  @usableFromInline init<T>(_ end: _Source<T>) { observe = { context, body in _ = end.tap(context) { _ in body() } } }

  /// Runs a closure when the whole chain has ended, whatever its result.
  public func finally(_ body: @escaping @isolated(any) () -> Void) {
    observe(.end(body.isolation), Isolation.plain(body))
  }
  /// Runs a closure on a queue when the whole chain has ended, whatever its result.
  @available(swift, obsoleted: 6)
  public func finally(
    on: DispatchQueue?, flags: DispatchWorkItemFlags? = nil, _ body: @escaping () -> Void
  ) { observe(.on(on, flags), body) }
  /// Runs a closure on a queue when the whole chain has ended, whatever its result.
  @available(swift, introduced: 6)
  @preconcurrency public func finally(
    on: DispatchQueue?, flags: DispatchWorkItemFlags? = nil,
    _ body: __owned @escaping @Sendable @isolated(any) () -> Void
  ) { observe(.on(on, flags, body.isolation), Isolation.plain(body)) }
}

extension CatchMixin {
  /// Runs a closure with the error, and ends the chain.
  @inlinable @discardableResult public func `catch`(
    policy: CatchPolicy = conf.catchPolicy, _ body: @escaping @isolated(any) (any Error) -> Void
  ) -> PMKFinalizer { _source.catch(.end(body.isolation), policy, Isolation.plain(body)) }
  /// Runs a closure on a queue with the error, and ends the chain.
  @available(swift, obsoleted: 6)
  @inlinable @discardableResult public func `catch`(
    on: DispatchQueue?, flags: DispatchWorkItemFlags? = nil, policy: CatchPolicy = conf.catchPolicy,
    _ body: @escaping (any Error) -> Void
  ) -> PMKFinalizer { _source.catch(.on(on, flags), policy, body) }
  /// Runs a closure on a queue with the error, and ends the chain.
  @available(swift, introduced: 6)
  @inlinable @preconcurrency @discardableResult public func `catch`(
    on: DispatchQueue?, flags: DispatchWorkItemFlags? = nil, policy: CatchPolicy = conf.catchPolicy,
    _ body: __owned @escaping @Sendable @isolated(any) (any Error) -> Void
  ) -> PMKFinalizer { _source.catch(.on(on, flags, body.isolation), policy, Isolation.plain(body)) }

  /// Ends the chain and logs its error.
  @inlinable @discardableResult public func cauterize() -> PMKFinalizer { self.catch { log(.cauterized($0)) } }

  /// Continues after an error with the thenable that a closure returns.
  @inlinable public func recover<U: Thenable>(
    policy: CatchPolicy = conf.catchPolicy, _ body: @escaping @isolated(any) (any Error) throws -> U
  ) -> Promise<T> where U.T == T { Promise(_source.recover(.map(body.isolation), policy, Isolation.plain(body))) }
  /// Continues after an error with the thenable that a closure returns. The closure runs on a queue.
  @available(swift, obsoleted: 6)
  @inlinable public func recover<U: Thenable>(
    on: DispatchQueue?, flags: DispatchWorkItemFlags? = nil, policy: CatchPolicy = conf.catchPolicy,
    _ body: @escaping (any Error) throws -> U
  ) -> Promise<T> where U.T == T { Promise(_source.recover(.on(on, flags), policy, body)) }
  /// Continues after an error with the thenable that a closure returns. The closure runs on a queue.
  @available(swift, introduced: 6)
  @inlinable @preconcurrency public func recover<U: Thenable>(
    on: DispatchQueue?, flags: DispatchWorkItemFlags? = nil, policy: CatchPolicy = conf.catchPolicy,
    _ body: __owned @escaping @Sendable @isolated(any) (any Error) throws -> U
  ) -> Promise<T> where U.T == T {
    Promise(_source.recover(.on(on, flags, body.isolation), policy, Isolation.plain(body)))
  }

  /// Continues after any error, cancellation included, with the guarantee that a closure returns.
  @inlinable @discardableResult public func recover(
    _ body: @escaping @isolated(any) (any Error) -> Guarantee<T>
  ) -> Guarantee<T> {
    Guarantee(_source.recover(.map(body.isolation), .allErrors, Isolation.plain(body)))
  }
  /// Continues after any error, cancellation included, with the guarantee that a closure returns. The closure runs on a
  /// queue.
  @available(swift, obsoleted: 6)
  @inlinable @discardableResult public func recover(
    on: DispatchQueue?, flags: DispatchWorkItemFlags? = nil, _ body: @escaping (any Error) -> Guarantee<T>
  ) -> Guarantee<T> { Guarantee(_source.recover(.on(on, flags), .allErrors, body)) }
  /// Continues after any error, cancellation included, with the guarantee that a closure returns. The closure runs on a
  /// queue.
  @available(swift, introduced: 6)
  @inlinable @preconcurrency @discardableResult public func recover(
    on: DispatchQueue?, flags: DispatchWorkItemFlags? = nil,
    _ body: __owned @escaping @Sendable @isolated(any) (any Error) -> Guarantee<T>
  ) -> Guarantee<T> { Guarantee(_source.recover(.on(on, flags, body.isolation), .allErrors, Isolation.plain(body))) }

  /// Runs a closure whatever the result, and passes the result on.
  @inlinable public func ensure(_ body: @escaping @isolated(any) () -> Void) -> Promise<T> {
    let plain = Isolation.plain(body)
    return Promise(_source.tap(.end(body.isolation)) { _ in plain() })
  }
  /// Runs a closure on a queue whatever the result, and passes the result on.
  @available(swift, obsoleted: 6)
  @inlinable public func ensure(
    on: DispatchQueue?, flags: DispatchWorkItemFlags? = nil, _ body: @escaping () -> Void
  ) -> Promise<T> { Promise(_source.tap(.on(on, flags)) { _ in body() }) }
  /// Runs a closure on a queue whatever the result, and passes the result on.
  @available(swift, introduced: 6)
  @inlinable @preconcurrency public func ensure(
    on: DispatchQueue?, flags: DispatchWorkItemFlags? = nil,
    _ body: __owned @escaping @Sendable @isolated(any) () -> Void
  ) -> Promise<T> {
    let plain = Isolation.plain(body)
    return Promise(_source.tap(.on(on, flags, body.isolation)) { _ in plain() })
  }

  /// Runs a closure whatever the result, waits for the guarantee that it returns, and passes the result on.
  @inlinable public func ensureThen(_ body: @escaping @isolated(any) () -> Guarantee<Void>) -> Promise<T> {
    Promise(_source.ensureThen(.end(body.isolation), Isolation.plain(body)))
  }
  /// Runs a closure on a queue whatever the result, waits for the guarantee that it returns, and passes the result on.
  @available(swift, obsoleted: 6)
  @inlinable public func ensureThen(
    on: DispatchQueue?, flags: DispatchWorkItemFlags? = nil, _ body: @escaping () -> Guarantee<Void>
  ) -> Promise<T> { Promise(_source.ensureThen(.on(on, flags), body)) }
  /// Runs a closure on a queue whatever the result, waits for the guarantee that it returns, and passes the result on.
  @available(swift, introduced: 6)
  @inlinable @preconcurrency public func ensureThen(
    on: DispatchQueue?, flags: DispatchWorkItemFlags? = nil,
    _ body: __owned @escaping @Sendable @isolated(any) () -> Guarantee<Void>
  ) -> Promise<T> { Promise(_source.ensureThen(.on(on, flags, body.isolation), Isolation.plain(body))) }
}

extension CatchMixin where T == Void {
  /// Runs a closure with any error. The guarantee returned is fulfilled after that, or when there is no error.
  @inlinable @discardableResult public func recover(
    _ body: @escaping @isolated(any) (any Error) -> Void
  ) -> Guarantee<Void> {
    Guarantee(_source.recover(.map(body.isolation), .allErrors, Isolation.plain(body)))
  }
  /// Runs a closure on a queue with any error. The guarantee returned is fulfilled after that, or when there is no
  /// error.
  @available(swift, obsoleted: 6)
  @inlinable @discardableResult public func recover(
    on: DispatchQueue?, flags: DispatchWorkItemFlags? = nil, _ body: @escaping (any Error) -> Void
  ) -> Guarantee<Void> { Guarantee(_source.recover(.on(on, flags), .allErrors, body)) }
  /// Runs a closure on a queue with any error. The guarantee returned is fulfilled after that, or when there is no
  /// error.
  @available(swift, introduced: 6)
  @inlinable @preconcurrency @discardableResult public func recover(
    on: DispatchQueue?, flags: DispatchWorkItemFlags? = nil,
    _ body: __owned @escaping @Sendable @isolated(any) (any Error) -> Void
  ) -> Guarantee<Void> { Guarantee(_source.recover(.on(on, flags, body.isolation), .allErrors, Isolation.plain(body))) }

  /// Runs a closure with the error. The promise returned is fulfilled after that, or rejected if the closure throws.
  @inlinable public func recover(
    policy: CatchPolicy = conf.catchPolicy, _ body: @escaping @isolated(any) (any Error) throws -> Void
  ) -> Promise<Void> { Promise(_source.recover(.map(body.isolation), policy, Isolation.plain(body))) }
  /// Runs a closure on a queue with the error. The promise returned is fulfilled after that, or rejected if the closure
  /// throws.
  @available(swift, obsoleted: 6)
  @inlinable public func recover(
    on: DispatchQueue?, flags: DispatchWorkItemFlags? = nil, policy: CatchPolicy = conf.catchPolicy,
    _ body: @escaping (any Error) throws -> Void
  ) -> Promise<Void> { Promise(_source.recover(.on(on, flags), policy, body)) }
  /// Runs a closure on a queue with the error. The promise returned is fulfilled after that, or rejected if the closure
  /// throws.
  @available(swift, introduced: 6)
  @inlinable @preconcurrency public func recover(
    on: DispatchQueue?, flags: DispatchWorkItemFlags? = nil, policy: CatchPolicy = conf.catchPolicy,
    _ body: __owned @escaping @Sendable @isolated(any) (any Error) throws -> Void
  ) -> Promise<Void> { Promise(_source.recover(.on(on, flags, body.isolation), policy, Isolation.plain(body))) }
}
