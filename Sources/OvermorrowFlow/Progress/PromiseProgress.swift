internal import Overmorrow
internal import OvermorrowEngine

/// The progress of the work behind a promise.
///
/// ``Overmorrow/Promise/withProgress(on:total:fileID:line:_:)`` creates a promise together with its progress. The work
/// reports to the progress, and other code observes the progress with ``onProgress(on:token:_:)`` or iterates over the
/// progress. The progress is separate from the promise, so a promise without progress has no extra cost.
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
/// **A progress may be used from any thread.** The number of completed units never decreases, because a report never
/// replaces the number by a smaller number. The fraction decreases only if the total grows.
public final class PromiseProgress: Sendable {
  /// The state of the progress at one moment.
  public struct Step: Sendable, Hashable {
    /// The number of completed units.
    public internal(set) var completed: Int64
    /// The total number of units, or `nil` while it is unknown.
    public internal(set) var total: Int64?
    /// Whether the progress has ended, so that no further step follows.
    public internal(set) var isFinished: Bool
    /// Whether the progress has ended and all units count as completed.
    var isComplete = false

    /// The completed fraction, from 0 to 1. If the total is unknown or 0, the fraction is `nil`. After a complete end,
    /// the fraction is always 1.
    public var fraction: Double? {
      if isComplete { return 1 }
      guard let total, total > 0 else { return nil }
      return Swift.min(1, Swift.max(0, Double(completed) / Double(total)))
    }

    init(total: Int64?) {
      (completed, isFinished) = (0, false)
      self.total = Step.known(total)
    }

    /// Returns a total, or `nil` if the total is negative. Foundation expresses an unknown total by a negative number.
    fileprivate static func known(_ total: Int64?) -> Int64? { total.flatMap { $0 < 0 ? nil : $0 } }
  }

  struct State {
    var step: Step
    var observers = ObserverList<ProgressObserver>()
  }

  let state: Guarded<State>

  /// Creates a progress. The progress ends with ``finish(isComplete:)``, with ``ending(with:)``, or when the last
  /// reference to the progress is released.
  ///
  /// - Parameter total: The total number of units, or `nil`, the default, if it is unknown. A negative total means that
  ///   the total is unknown.
  public init(total: Int64? = nil) {
    state = Guarded(State(step: Step(total: total)))
  }

  deinit { finish(isComplete: false) }

  /// The current state of the progress.
  public var current: Step { state.withLock { $0.step } }

  /// Reports the state of the work.
  ///
  /// - Parameters:
  ///   - completed: The number of completed units. A number below an earlier number is ignored.
  ///   - total: The total number of units. `nil`, the default, and a negative number leave the total unchanged.
  public func report(completed: Int64, of total: Int64? = nil) {
    change { step in
      step.completed = Swift.max(step.completed, completed)
      step.total = Step.known(total) ?? step.total
    }
  }

  /// Reports the state of the work. If `total` is `nil`, the total becomes unknown.
  ///
  /// - Parameters:
  ///   - completed: The number of completed units. A number below an earlier number is ignored.
  ///   - total: The total number of units, or `nil` if it is unknown.
  package func report(completed: Int64, ofExactly total: Int64?) {
    change { step in
      step.completed = Swift.max(step.completed, completed)
      step.total = total
    }
  }

  /// Ends the progress. Later reports are ignored.
  ///
  /// - Parameter isComplete: Whether all units count as completed, even if fewer units were reported.
  public func finish(isComplete: Bool) {
    change { step in
      if isComplete { step.completed = Swift.max(step.completed, step.total ?? 0) }
      if isComplete, step.total == nil || step.completed > (step.total ?? 0) { step.total = step.completed }
      (step.isFinished, step.isComplete) = (true, isComplete)
    }
  }

  private func change(_ body: @Sendable (inout Step) -> Void) {
    let (observers, step) = state.withLock { state -> (ObserverList<ProgressObserver>?, Step) in
      let old = state.step
      guard !old.isFinished else { return (nil, old) }
      body(&state.step)
      guard state.step != old else { return (nil, old) }
      defer { if state.step.isFinished { state.observers = ObserverList() } }
      return (state.observers, state.step)
    }
    if let observers { for observer in observers.all { observer.report(step) } }
  }

  /// Registers an observer, and reports the current state to the observer. If the progress has ended, only reports the
  /// state.
  func add(_ observer: ProgressObserver) {
    let step = state.withLock { state in
      if !state.step.isFinished { state.observers.append(observer) }
      return state.step
    }
    observer.report(step)
  }

  /// Removes an observer.
  func remove(_ observer: ProgressObserver) {
    let removed = state.withLock { $0.observers.remove(observer) }
    withExtendedLifetime(removed) {}
  }
}
