public import Overmorrow

extension _Source {
  /// Returns a step that runs `body` with the error and the address of the step's own promise. Under the default
  /// policy, an error that stands for cancellation passes through without a submission to the context.
  @inlinable func rescue(
    _ context: PromiseContext, _ policy: CatchPolicy, _ body: @escaping (any Error, UInt) throws -> Step<T>
  ) -> _Source {
    _Source(
      core: PromiseAdapter.transformError(core, on: policy == .allErrors ? context : .immediate) { own in
        let run: (any Error) -> Step<T> = { error in
          do { return try body(error, own) } catch { return .error(error) }
        }
        if policy == .allErrors { return run }
        return { error in
          if error.isCancelled { return .error(error) }
          if context == .immediate { return run(error) }
          return .promise(PromiseAdapter.transformError(Core<T>(rejected: error), on: context) { _ in run })
        }
      })
  }

  @inlinable func `catch`(
    _ context: PromiseContext, _ policy: CatchPolicy, _ body: @escaping (any Error) -> Void
  ) -> PMKFinalizer {
    PMKFinalizer(
      rescue(context, policy) { error, _ in
        body(error)
        return .error(error)
      })
  }

  /// Continues after an error with the thenable that a closure returns.
  @inlinable func recover<U: Thenable>(
    _ context: PromiseContext, _ policy: CatchPolicy, _ body: @escaping (any Error) throws -> U
  ) -> _Source where U.T == T { rescue(context, policy) { try .following(body($0), unlessAt: $1) } }

  /// Replaces an error by the value that a closure returns.
  @inlinable func recover(
    _ context: PromiseContext, _ policy: CatchPolicy, _ body: @escaping (any Error) throws -> T
  ) -> _Source { rescue(context, policy) { error, _ in .value(Kept(try body(error))) } }

  /// Runs a closure whatever the result, waits for the guarantee that the closure returns, and passes the result on.
  @inlinable func ensureThen(_ context: PromiseContext, _ body: @escaping () -> Guarantee<Void>) -> _Source {
    let body = Kept(body)
    return _Source(
      core: PromiseAdapter.transformResult(core, on: context, token: nil) { result in
        if result.isCancelled { return .result(.cancelled) }
        return .promise(
          PromiseAdapter.transformResult(body.value()._source.core, on: .on(conf.Q.return), token: nil) {
            .result($0.isCancelled ? .cancelled : result)
          })
      })
  }
}
