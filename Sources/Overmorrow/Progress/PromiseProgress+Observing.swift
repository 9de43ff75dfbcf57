extension PromiseProgress {
  /// Runs a closure with how far the work has come: now, and whenever that changes.
  ///
  /// Steps that come while an earlier one waits for its context, or runs, are left out but for the newest, so that a
  /// slow observer is not flooded. The last step says that it is finished.
  ///
  /// - Runs on: `context`.
  /// - Order: one step after the other, on concurrent contexts too; none of them goes back.
  /// - Parameters:
  ///   - context: Where `onChange` runs.
  ///   - token: Suppresses `onChange` when it is invalidated.
  ///   - onChange: Kept until the progress is finished.
  public func onProgress(
    on context: PromiseContext, token: PromiseInvalidationToken? = nil,
    _ onChange: @escaping @Sendable (_ step: Step) -> Void
  ) { add(ProgressObserver(on: context, token: token, onChange)) }

  /// Runs a closure with how far the work has come, where the closure belongs.
  ///
  /// Behaves as ``onProgress(on:token:_:)`` otherwise.
  ///
  /// - Runs on: the actor that `onChange` belongs to, or `.auto` if it belongs to none.
  /// - Parameters:
  ///   - token: Suppresses `onChange` when it is invalidated.
  ///   - onChange: Kept until the progress is finished.
  public func onProgress(
    token: PromiseInvalidationToken? = nil,
    @_inheritActorContext(always) _ onChange: @escaping @Sendable @isolated(any) (_ step: Step) -> Void
  ) {
    onProgress(
      on: .here(onChange.isolation), token: token, Isolation.unchecked(onChange))
  }
}

extension PromiseProgress: AsyncSequence {
  /// How far the work has come: now, and whenever that changes; the last element says that it is finished.
  ///
  /// A slow loop gets the newest step, not every one.
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
