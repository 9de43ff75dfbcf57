/// How far the work behind a promise has come.
///
/// Made together with a promise by ``Promise/withProgress(on:total:fileID:line:_:)``: the work reports to it, and its
/// holders observe it, by ``onProgress(on:token:_:)`` or by iterating over it. It is separate from the promise, so a
/// promise without progress pays nothing.
///
/// ```swift
/// let (data, loaded) = Promise<String, any Error>.withProgress(on: .utility) { resolver, progress in
///   load(
///     onBytes: { bytes, total in progress.report(completed: bytes, of: total) },
///     onEnd: { text in resolver.fulfill(with: text) })
/// }
/// loaded.onProgress(on: .main) { step in show(step.fraction) }
/// ```
///
/// **It may be used from any thread.** What is completed never goes back: a late report of less is ignored.
public final class PromiseProgress: Sendable {
  /// How far the work has come at one time.
  public struct Step: Sendable, Hashable {
    /// The units that are completed.
    public internal(set) var completed: Int64
    /// The units that there are, or `nil` while that is unknown.
    public internal(set) var total: Int64?
    /// Whether there is no more progress to come: the promise is resolved.
    public internal(set) var isFinished: Bool

    /// The share that is completed, from 0 to 1; `nil` while the total is unknown.
    public var fraction: Double? {
      total.map { $0 <= 0 ? 1 : Swift.min(1, Swift.max(0, Double(completed) / Double($0))) }
    }
  }

  private struct State {
    var step: Step
    var observers: [ProgressObserver] = []
  }

  private let state: Guarded<State>

  /// Progress that only its owner ends, with ``finish(isComplete:)``.
  ///
  /// - Parameter total: The units that there are, or `nil` if that is unknown.
  public init(total: Int64? = nil) {
    state = Guarded(State(step: Step(completed: 0, total: total, isFinished: false)))
  }

  deinit { finish(isComplete: false) }

  /// How far the work has come.
  public var current: Step { state.withLock { $0.step } }

  /// Says how far the work has come.
  ///
  /// - Parameters:
  ///   - completed: The units that are completed. Less than has been reported before is ignored.
  ///   - total: The units that there are; `nil` leaves that as it was.
  public func report(completed: Int64, of total: Int64? = nil) {
    change { step in
      step.completed = Swift.max(step.completed, completed)
      step.total = total ?? step.total
    }
  }

  /// Ends the progress: there is none afterwards.
  ///
  /// - Parameter isComplete: Whether all units are completed, however many were reported.
  public func finish(isComplete: Bool) {
    change { step in
      if isComplete { step.completed = Swift.max(step.completed, step.total ?? 0) }
      if isComplete, step.total == nil || step.completed > (step.total ?? 0) { step.total = step.completed }
      step.isFinished = true
    }
  }

  private func change(_ body: @Sendable (inout Step) -> Void) {
    let observers = state.withLock { state -> [(ProgressObserver, Step)] in
      let old = state.step
      guard !old.isFinished else { return [] }
      body(&state.step)
      guard state.step != old else { return [] }
      defer { if state.step.isFinished { state.observers = [] } }
      return state.observers.map { ($0, state.step) }
    }
    for (observer, step) in observers { observer.tell(step) }
  }

  /// Registers an observer, which first gets the present state.
  func add(_ observer: ProgressObserver) {
    let step = state.withLock { state in
      if !state.step.isFinished { state.observers.append(observer) }
      return state.step
    }
    observer.tell(step)
  }

  /// Removes an observer.
  func remove(_ observer: ProgressObserver) {
    let removed = state.withLock { state -> ProgressObserver? in
      state.observers.firstIndex { $0 === observer }.map { state.observers.remove(at: $0) }
    }
    withExtendedLifetime(removed) {}
  }
}
