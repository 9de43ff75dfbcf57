/// Suspends, resumes and cancels the steps of one chain together, whichever of them is waiting or running.
///
/// It keeps none of them alive, and forgets those that have resolved. A step that is linked while the control is
/// suspended does not start. Unlike the suspension of a single promise, that of a control does not end with the handles
/// of the promises; it ends with the control.
package final class ChainControl: Sendable {
  private struct Link: Sendable {
    /// The promise whose step runs the user's code; suspended with the control.
    let step: WeakCore
    /// What has the result of the step, unless the chain is cancelled first; `nil` if it is not to be cancelled.
    var end: WeakCore?
    /// What the step waits for; `nil` if it is busy from the beginning.
    var source: WeakCore?

    /// Whether it is the turn of this step.
    var isActive: Bool { source?.isSpent ?? true }
    var isSpent: Bool { step.isSpent && end?.isSpent ?? true }
  }

  private struct State {
    var links: [Link] = []
    /// The list is swept when it has grown to this, so that it costs a constant per step.
    var sweepAt = 16
    var isSuspended = false
    var isCancelled = false
    var isAbandoned = false
  }

  private let state = Guarded(State())
  private let error: any Error

  /// - Parameter error: What a step that is cancelled is rejected with.
  package init(cancellingWith error: any Error = CancellationError()) { self.error = error }

  deinit { resume() }

  package var isSuspended: Bool { state.withLock { $0.isSuspended } }

  /// Whether the chain has been cancelled; then no other step is to begin its work.
  package var isCancelled: Bool { state.withLock { $0.isCancelled } }

  // MARK: Linking

  /// Makes a promise one of those that are suspended, and asked by ``requestCancel()``. Nothing else becomes of it.
  package func add<Value, Failure>(_ promise: Promise<Value, Failure>) { add(Link(step: WeakCore(promise.handle.core))) }

  /// Makes a step one of those under control.
  ///
  /// - Parameters:
  ///   - source: What the step waits for.
  ///   - makeEnd: Makes of the step what has its result, such as one that comes in time.
  ///   - makeStep: Makes the step.
  /// - Returns: A promise for the result of the step. It is rejected instead when the control is cancelled after
  ///   `source` has resolved, even while the step runs; and then the step is asked to cancel.
  package func link<Value, Failure, Result>(
    _ source: Promise<Value, Failure>,
    endingAs makeEnd: (Promise<Result, any Error>) -> Promise<Result, any Error> = { $0 },
    _ makeStep: (Promise<Value, Failure>) -> Promise<Result, any Error>
  ) -> Promise<Result, any Error> {
    let source = isSuspended ? gate(source) : source
    let step = makeStep(source)
    return link(step, endingAs: makeEnd(step), after: source)
  }

  /// The same result, but only when the control is resumed: the step behind it must not begin before it is known here.
  private func gate<Value, Failure>(_ source: Promise<Value, Failure>) -> Promise<Value, Failure> {
    if !source.isResolved {
      let gate = source.makeChild()
      add(Link(step: WeakCore(gate.handle.core)))
      if !gate.isResolved { return gate }
    }
    // Not for a source that may be at the end of a long chain: adopting it looks for a cycle.
    let (gate, resolver) = Promise<Value, Failure>.makeForLibrary()
    add(Link(step: WeakCore(gate.handle.core)))
    resolver.resolve(with: source)
    return gate
  }

  /// The same for work that has begun: cancelling the control always rejects the promise returned.
  package func link<Result>(_ step: Promise<Result, any Error>) -> Promise<Result, any Error> {
    link(step, endingAs: step, after: Promise<Void, Never>?.none)
  }

  private func link<Value, Failure, Result>(
    _ step: Promise<Result, any Error>, endingAs end: Promise<Result, any Error>,
    after source: Promise<Value, Failure>?
  ) -> Promise<Result, any Error> {
    let end = end.makeChild()
    add(Link(step: WeakCore(step.handle.core), end: WeakCore(end.handle.core), source: source.map { WeakCore($0.handle.core) }))
    return end
  }

  private func add(_ link: Link) {
    let (swept, isSuspended, isCancelled) = state.withLock { state -> ([Link], Bool, Bool) in
      var swept: [Link] = []
      if state.links.count >= state.sweepAt {
        swept = state.links
        state.links.removeAll(where: \.isSpent)
        state.sweepAt = max(16, 2 * state.links.count)
      }
      state.links.append(link)
      return (swept, state.isSuspended, state.isCancelled)
    }
    if isSuspended { link.step.control { self.isSuspended } }
    // Work that has begun would otherwise never hear of it.
    if isCancelled, link.source == nil { link.end?.reject(with: error) }
    withExtendedLifetime(swept) {}
  }

  // MARK: Controlling

  package func suspend() { set(isSuspended: true) }

  package func resume() { set(isSuspended: false) }

  private func set(isSuspended: Bool) {
    let links = state.withLock { state -> [Link] in
      if state.isSuspended == isSuspended { return [] }
      state.isSuspended = isSuspended
      return state.links
    }
    for link in links { link.step.control { self.isSuspended } }
  }

  /// Rejects the steps whose turn it is, and lets those go on that are suspended. A second call does nothing.
  package func cancel() {
    // Found out first: the steps behind those that are rejected have their turn then.
    let active = state.withLock { state -> [Link] in
      if state.isCancelled { return [] }
      state.isCancelled = true
      return state.links.filter(\.isActive)
    }
    for link in active { link.end?.reject(with: error) }
    resume()
  }

  /// Nobody can resume the chain any more: if it is suspended, all of it is cancelled, and none of its steps runs.
  package func abandon() {
    let isSuspended = state.withLock { state in
      state.isAbandoned = state.isSuspended
      return state.isSuspended
    }
    if isSuspended { requestCancel() }
  }

  /// Whether the chain was cancelled by ``abandon()``.
  package var isAbandoned: Bool { state.withLock { $0.isAbandoned } }

  /// Asks all promises to cancel, the latest first, and leaves it to them; suspended ones settle at once.
  package func requestCancel() {
    for link in state.withLock({ $0.links }).reversed() { link.step.requestCancel() }
  }
}

extension Promise where Failure == any Error {
  /// The same result, unless a function rejects the promise first, which then withdraws its vote. The function keeps nothing.
  package func rejectableFromOutside() -> (promise: Promise, reject: @Sendable (any Error) -> Void) {
    let promise = makeChild()
    let core = WeakCore(promise.handle.core)
    return (promise, { core.reject(with: $0) })
  }
}
