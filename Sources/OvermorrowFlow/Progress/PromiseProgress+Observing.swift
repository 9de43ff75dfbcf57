public import Overmorrow
internal import OvermorrowEngine

extension PromiseProgress {
  /// Calls a closure with the current step, and again with a newer step after the progress has changed.
  ///
  /// While a step waits for `context`, or while `onChange` is running, only the newest of the later steps is kept. So a
  /// slow observer does not fall behind. The last step has `isFinished` set.
  ///
  /// - Runs on: `context`.
  /// - Order: the calls are serial, even on concurrent contexts, and the progress never decreases.
  /// - Parameters:
  ///   - context: The context on which `onChange` runs.
  ///   - token: A token whose invalidation suppresses `onChange`.
  ///   - onChange: The closure to call. It is retained until the progress is finished.
  public func onProgress(
    on context: PromiseContext, token: PromiseInvalidationToken? = nil,
    _ onChange: @escaping @Sendable (_ step: Step) -> Void
  ) { add(ProgressObserver(on: context, token: token, onChange)) }

  /// Calls a closure with the current step and with newer steps, on the actor that the closure is isolated to.
  ///
  /// Otherwise, this method behaves like ``onProgress(on:token:_:)``.
  ///
  /// - Runs on: the actor that `onChange` is isolated to, or `.auto` if `onChange` is not isolated.
  /// - Parameters:
  ///   - token: A token whose invalidation suppresses `onChange`.
  ///   - onChange: The closure to call. It is retained until the progress is finished.
  public func onProgress(
    token: PromiseInvalidationToken? = nil,
    @_inheritActorContext(always) _ onChange: @escaping @Sendable @isolated(any) (_ step: Step) -> Void
  ) {
    onProgress(
      on: .isolated(to: onChange.isolation), token: token, Isolation.unchecked(onChange))
  }
}

extension PromiseProgress: AsyncSequence {
  /// Returns an iterator over the current step and the later steps. The last element has `isFinished` set.
  ///
  /// A slow loop receives the newest step and skips older steps.
  public func makeAsyncIterator() -> AsyncStream<Step>.Iterator {
    let (stream, continuation) = AsyncStream<Step>.makeStream(bufferingPolicy: .bufferingNewest(1))
    let observer = ProgressObserver(on: .immediate, token: nil) { step in
      continuation.yield(step)
      if step.isFinished { continuation.finish() }
    }
    continuation.onTermination = { [weak self, weak observer] _ in
      if let self, let observer { self.remove(observer) }
    }
    add(observer)
    return stream.makeAsyncIterator()
  }
}
