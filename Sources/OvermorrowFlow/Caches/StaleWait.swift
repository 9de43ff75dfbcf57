internal import Overmorrow
internal import OvermorrowDiagnostics
internal import OvermorrowEngine

/// The wait of the callers that have found a stale value, and that wait for the load of a new value for a limited time.
///
/// The wait ends with the load, at the end of the soft timeout of the cache, when a value is set for the key, or when
/// the entry leaves the cache. All callers wait for children of one promise, so that a load has one timer, whatever the
/// number of its callers. The first caller makes the promise and the timer.
final class StaleWait: Sendable {
  /// The promise of which each caller gets a child, and its resolver.
  typealias Parts = (promise: UntypedPromise, resolver: UntypedResolver)

  /// A caller whose code belongs to shared work.
  private struct Caller: Sendable {
    let promise: WeakPromise
    let work: SharedWork
    let site: CallSite
  }

  private struct State {
    /// The promise of the load.
    let load: UntypedPromise
    /// The promise of the callers; `nil` if there was no caller. With this promise, the wait has a vote on the load.
    /// Callers that leave do not withdraw the vote.
    var parts: Parts?
    var timer: Timer?
    /// A value that is being set for the key.
    var offered: UntypedPromise?
    /// The callers that close a circle of loads if the load waits for them when the wait ends without a value.
    var callers = SweptList<Caller>()
  }

  private enum Phase {
    case open(State)
    /// The wait has ended. Its callers may be waiting for the load.
    case over(isForLoad: Bool)

    /// The state; `nil` after the end.
    var state: State? {
      if case .open(let state) = self { state } else { nil }
    }
  }

  /// The time at which the load was made, on the clock of the cache.
  let beginning: Duration
  private let phase: Guarded<Phase>

  init(for load: UntypedPromise, since beginning: Duration) {
    self.beginning = beginning
    phase = Guarded(.open(State(load: load)))
  }

  // MARK: Callers

  /// Whether there was a caller, and the wait has not ended.
  var isBegun: Bool { phase.withLock { $0.state?.parts != nil } }

  /// Adds one more caller. Returns the promise of the wait, or `nil` if the wait has ended, or if the load was asked to
  /// cancel.
  ///
  /// - Parameter begin: Makes the promise. If another thread makes it first, this promise ends without a trace.
  func join(orBegin begin: () -> Parts) -> UntypedPromise? {
    guard let present = phase.withLock({ $0.state }) else { return nil }
    let made = present.parts ?? begin()
    return phase.withLock { phase -> UntypedPromise? in
      guard case .open(var state) = phase else { return nil }
      if let parts = state.parts { return parts.promise }
      guard state.load.holdVote() else { return nil }
      state.parts = made
      phase = .open(state)
      return made.promise
    }
  }

  /// Notes a caller whose code belongs to shared work, and that has just joined.
  ///
  /// - Parameter promise: The promise of the caller, which was made by `makeChildCancelledOnRequest()`.
  /// - Returns: `false` if the caller already waits for the load itself.
  func note(_ promise: WeakPromise, by work: SharedWork, _ site: CallSite) -> Bool {
    let caller = Caller(promise: promise, work: work, site: site)
    let (isNoted, swept) = phase.withLock { phase -> (Bool, [Caller]) in
      switch phase {
      case .over(let isForLoad): return (!isForLoad, [])
      case .open(var state):
        // Without a second reference, the list is not copied.
        phase = .over(isForLoad: false)
        let swept = state.callers.append(caller) { !$0.promise.mayBeAwaited }
        phase = .open(state)
        return (true, swept)
      }
    }
    return withExtendedLifetime(swept) { isNoted }
  }

  // MARK: The end

  /// Whether the wait has a caller and no timer yet.
  var needsTimer: Bool {
    phase.withLock { phase in phase.state.map { $0.parts != nil && $0.timer == nil } ?? false }
  }

  /// Keeps the timer of the soft timeout until the end of the wait.
  func keep(_ timer: Timer) {
    let isKept = phase.withLock { phase in
      guard case .open(var state) = phase, state.timer == nil else { return false }
      state.timer = timer
      phase = .open(state)
      return true
    }
    if !isKept { timer.cancel() }
  }

  /// Offers a value that is being set for the key. If the entry leaves the cache, callers get this value.
  func offer(_ value: UntypedPromise) {
    let replaced = phase.withLock { phase -> UntypedPromise? in
      guard case .open(var state) = phase else { return nil }
      let replaced = state.offered
      state.offered = value
      phase = .open(state)
      return replaced
    }
    withExtendedLifetime(replaced) {}
  }

  /// Ends the wait with the value of the load. If the load has no value, ends the wait with a value that the cache
  /// serves. If there is no such value, the callers get the result of the load, and share a vote on the load. Does
  /// nothing if the wait has ended.
  ///
  /// - Parameters:
  ///   - kept: The promise of the value that the cache serves; `nil` if there is none.
  ///   - work: The load.
  func end(serving kept: UntypedPromise?, of work: SharedWork) {
    let ended = phase.withLock { phase -> (state: State, served: UntypedPromise?)? in
      guard case .open(let state) = phase else { return nil }
      let served = state.load.hasValue ? nil : kept ?? state.offered
      phase = .over(isForLoad: served == nil && !state.load.isResolved)
      return (state, served)
    }
    guard let (state, served) = ended else { return }
    state.timer?.cancel()
    guard let (_, resolver) = state.parts else { return }
    if served == nil, !state.load.isResolved { for caller in state.callers.elements { admit(caller, to: work) } }
    resolver.resolve(with: served ?? state.load)
    state.load.forgetVote()
  }

  /// Lets a caller wait for the load itself. If the caller would then wait for itself, reports the circle, and cancels
  /// the promise of the caller.
  private func admit(_ caller: Caller, to load: SharedWork) {
    guard caller.promise.mayBeAwaited, !load.admits(caller.promise, by: caller.work) else { return }
    Diagnostics.report(.resolvedWithItself(origin: caller.site.text))
    caller.promise.requestCancel()
  }
}
