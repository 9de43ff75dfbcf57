public import Dispatch
internal import Overmorrow

/// Something that may be rejected. A type of your own needs only what ``Thenable`` asks for.
public protocol CatchMixin: Thenable {}

/// The end of a chain.
public class PMKFinalizer {
  private let observe: (PromiseContext, @escaping () -> Void) -> Void

  init<T>(_ end: Core<T>) {
    observe = { context, body in
      let body = Kept(body)
      _ = end.observeResult(on: context, token: nil) { if !$0.isCancelled { body.value() } }
    }
  }

  /// Runs a closure after all of the chain, however that has ended.
  public func finally(_ body: @escaping @isolated(any) () -> Void) {
    observe(.end(body.isolation), Isolation.plain(body))
  }

  /// Runs a closure after all of the chain, however that has ended; on a queue.
  @preconcurrency public func finally(
    on: DispatchQueue?, flags: DispatchWorkItemFlags? = nil, _ body: sending @escaping () -> Void
  ) { observe(.on(on, flags), body) }
}

extension CatchMixin {
  /// Runs a closure with the error, and ends the chain.
  @discardableResult public func `catch`(
    policy: CatchPolicy = conf.catchPolicy, _ body: @escaping @isolated(any) (any Error) -> Void
  ) -> PMKFinalizer { caught(.end(body.isolation), policy, Isolation.plain(body)) }

  /// Runs a closure with the error, and ends the chain; on a queue.
  @preconcurrency @discardableResult public func `catch`(
    on: DispatchQueue?, flags: DispatchWorkItemFlags? = nil, policy: CatchPolicy = conf.catchPolicy,
    _ body: sending @escaping (any Error) -> Void
  ) -> PMKFinalizer { caught(.on(on, flags), policy, body) }

  /// Ends the chain, and writes an error to the log.
  @discardableResult public func cauterize() -> PMKFinalizer { self.catch { log(.cauterized($0)) } }

  /// Continues after an error with the result of what a closure makes of it.
  public func recover<U: Thenable>(
    policy: CatchPolicy = conf.catchPolicy, _ body: @escaping @isolated(any) (any Error) throws -> U
  ) -> Promise<T> where U.T == T { Promise(of: recovered(.map(body.isolation), policy, Isolation.plain(body))) }

  /// Continues after an error with the result of what a closure makes of it; on a queue.
  @preconcurrency public func recover<U: Thenable>(
    on: DispatchQueue?, flags: DispatchWorkItemFlags? = nil, policy: CatchPolicy = conf.catchPolicy,
    _ body: sending @escaping (any Error) throws -> U
  ) -> Promise<T> where U.T == T { Promise(of: recovered(.on(on, flags), policy, body)) }

  /// Continues after any error with the value of what a closure makes of it.
  @discardableResult public func recover(_ body: @escaping @isolated(any) (any Error) -> Guarantee<T>) -> Guarantee<T> {
    Guarantee(recovered(.map(body.isolation), .allErrors, Isolation.plain(body)))
  }

  /// Continues after any error with the value of what a closure makes of it; on a queue.
  @preconcurrency @discardableResult public func recover(
    on: DispatchQueue?, flags: DispatchWorkItemFlags? = nil, _ body: sending @escaping (any Error) -> Guarantee<T>
  ) -> Guarantee<T> { Guarantee(recovered(.on(on, flags), .allErrors, body)) }

  /// Runs a closure, however this ends, and passes the result on.
  public func ensure(_ body: @escaping @isolated(any) () -> Void) -> Promise<T> {
    ensured(.end(body.isolation), Isolation.plain(body))
  }

  /// Runs a closure, however this ends, and passes the result on; on a queue.
  @preconcurrency public func ensure(
    on: DispatchQueue?, flags: DispatchWorkItemFlags? = nil, _ body: sending @escaping () -> Void
  ) -> Promise<T> { ensured(.on(on, flags), body) }

  /// Waits for what a closure makes, however this ends, and passes the result on.
  public func ensureThen(_ body: @escaping @isolated(any) () -> Guarantee<Void>) -> Promise<T> {
    ensured(.end(body.isolation), Isolation.plain(body))
  }

  /// Waits for what a closure makes, however this ends, and passes the result on; on a queue.
  @preconcurrency public func ensureThen(
    on: DispatchQueue?, flags: DispatchWorkItemFlags? = nil, _ body: sending @escaping () -> Guarantee<Void>
  ) -> Promise<T> { ensured(.on(on, flags), body) }

  private func caught(
    _ context: PromiseContext, _ policy: CatchPolicy, _ body: @escaping (any Error) -> Void
  ) -> PMKFinalizer {
    PMKFinalizer(
      rescued(context, policy) { error in
        body(error)
        return .error(error)
      })
  }

  private func recovered<U: Thenable>(
    _ context: PromiseContext, _ policy: CatchPolicy, _ body: @escaping (any Error) throws -> U
  ) -> Core<T> where U.T == T {
    let own = OwnStep()
    return own.found(rescued(context, policy) { try own.follow(body($0)) })
  }

  private func ensured(_ context: PromiseContext, _ body: @escaping () -> Void) -> Promise<T> {
    Promise(of: observed(context) { _ in body() })
  }

  private func ensured(_ context: PromiseContext, _ body: @escaping () -> Guarantee<Void>) -> Promise<T> {
    let body = Kept(body)
    return Promise(
      of: _source.core.transformResult(on: context, token: nil) { result in
        if result.isCancelled { return .result(.cancelled) }
        return .promise(
          body.value().inner.transformResult(on: .on(conf.Q.return), token: nil) {
            .result($0.isCancelled ? .cancelled : result)
          })
      })
  }
}

extension CatchMixin where T == Void {
  /// Is fulfilled after any error, when a closure has run with that.
  @discardableResult public func recover(_ body: @escaping @isolated(any) (any Error) -> Void) -> Guarantee<Void> {
    Guarantee(settled(.map(body.isolation), .allErrors, Isolation.plain(body)))
  }

  /// Is fulfilled after any error, when a closure has run with that; on a queue.
  @preconcurrency @discardableResult public func recover(
    on: DispatchQueue?, flags: DispatchWorkItemFlags? = nil, _ body: sending @escaping (any Error) -> Void
  ) -> Guarantee<Void> { Guarantee(settled(.on(on, flags), .allErrors, body)) }

  /// Is fulfilled after an error, when a closure has run with that; rejected if it throws.
  public func recover(
    policy: CatchPolicy = conf.catchPolicy, _ body: @escaping @isolated(any) (any Error) throws -> Void
  ) -> Promise<Void> { Promise(of: settled(.map(body.isolation), policy, Isolation.plain(body))) }

  /// Is fulfilled after an error, when a closure has run with that; rejected if it throws; on a queue.
  @preconcurrency public func recover(
    on: DispatchQueue?, flags: DispatchWorkItemFlags? = nil, policy: CatchPolicy = conf.catchPolicy,
    _ body: sending @escaping (any Error) throws -> Void
  ) -> Promise<Void> { Promise(of: settled(.on(on, flags), policy, body)) }

  private func settled(
    _ context: PromiseContext, _ policy: CatchPolicy, _ body: @escaping (any Error) throws -> Void
  ) -> Core<Void> {
    rescued(context, policy) { .value(Kept(try body($0))) }
  }
}
