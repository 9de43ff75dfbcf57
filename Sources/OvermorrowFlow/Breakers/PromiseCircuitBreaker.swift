public import Overmorrow
internal import OvermorrowDiagnostics
public import OvermorrowEngine

/// A circuit breaker: refuses calls of a service that has recently failed too often, and tries the service again later.
///
/// ```swift
/// let breaker = PromiseCircuitBreaker(failureRate: 0.5, minimumCalls: 20, openDuration: .seconds(5))
///
/// func page() async throws -> String {
///   try await breaker.perform {
///     try await withTimeout(.seconds(20)) { try await service.page() }
///   }
/// }
/// ```
///
/// A **closed** breaker admits all calls, and counts their results. When the share of failures in the window reaches a
/// limit, the breaker opens. An **open** breaker refuses all calls with
/// ``PromiseRefusalError/circuitOpen(retryAfter:)``. The first call after the open duration makes the breaker
/// **half-open**. A half-open breaker admits a few trial calls and refuses the others. If all trial calls succeed, the
/// breaker closes. If one of them fails, the breaker opens again.
///
/// A call that never ends is no failure, so limit the time of a call inside the breaker. A cancelled call counts
/// neither as a success nor as a failure. Neither does an error that is thrown in a cancelled task, nor an error of a
/// promise that was asked to cancel. A call that began before the latest change of state counts nothing.
///
/// **A breaker may be used from any thread.** A breaker counts in ten slots of its window, whatever the number of
/// calls.
public final class PromiseCircuitBreaker: Sendable {
  /// The state of a circuit breaker.
  public enum State: Sendable, Hashable {
    /// All calls are admitted.
    case closed
    /// All calls are refused.
    case open
    /// A few trial calls are admitted.
    case halfOpen
  }

  private let circuit: Guarded<CircuitState>
  private let observers = StateObservers()
  private let stopwatch: Stopwatch
  private let isFailure: @Sendable (any Error) -> Bool

  /// Creates a closed breaker.
  ///
  /// - Parameters:
  ///   - failureRate: The share of failures in the window at which the breaker opens; 0.5 by default. A value is
  ///     clamped to the range from 0 to 1. NaN counts as 1.
  ///   - minimumCalls: The smallest number of calls in the window at which the breaker may open; 20 by default. A value
  ///     below 1 counts as 1.
  ///   - window: The length of the window; 10 seconds by default. The window moves in steps of a tenth of its length.
  ///     Less than 10 nanoseconds count as 10 nanoseconds.
  ///   - openDuration: The time for which an open breaker refuses all calls; 5 seconds by default. Zero or less means
  ///     that the first call after the opening is a trial call.
  ///   - trialCalls: The number of calls that a half-open breaker admits; 1 by default. A value below 1 counts as 1.
  ///   - clock: The clock that measures the window and the open duration. The continuous clock by default.
  ///   - isFailure: A closure that returns whether an error counts as a failure. By default, all errors do. Other
  ///     errors count as successes, because the service has answered. The closure is called where the call ends.
  public init(
    failureRate: Double = 0.5, minimumCalls: Int = 20, window: Duration = .seconds(10),
    openDuration: Duration = .seconds(5), trialCalls: Int = 1, clock: any Clock<Duration> = ContinuousClock(),
    isFailure: @escaping @Sendable (_ error: any Error) -> Bool = { _ in true }
  ) {
    func usable<Argument: Equatable>(_ value: Argument, _ replacement: Argument, _ name: String) -> Argument {
      Diagnostics.replace(value, by: replacement, "PromiseCircuitBreaker.\(name)")
    }
    circuit = Guarded(
      CircuitState(
        .init(
          failureRate: usable(failureRate, failureRate.isNaN ? 1 : min(max(failureRate, 0), 1), "failureRate"),
          minimumCalls: usable(minimumCalls, max(minimumCalls, 1), "minimumCalls"),
          window: SlidingWindow.usable(window, of: "PromiseCircuitBreaker"),
          openDuration: openDuration.asWait, trialCalls: usable(trialCalls, max(trialCalls, 1), "trialCalls"))))
    stopwatch = Stopwatch(clock)
    self.isFailure = isFailure
  }

  /// The state of the breaker.
  ///
  /// An open breaker stays open until the first call after the open duration.
  public var state: State { circuit.withLock { $0.phase.state } }

  /// The state of the breaker now, and then each change of state.
  ///
  /// Each call creates a sequence for one iteration. The sequence keeps the 16 latest states that the iteration has not
  /// read. It ends when the breaker is released.
  public var states: AsyncStream<State> { observers.stream() }

  /// Starts work whose result is a promise, if the breaker admits the call.
  ///
  /// - Returns: The promise of the work. If the breaker refuses the call, a promise that is rejected with
  ///   ``PromiseRefusalError/circuitOpen(retryAfter:)``.
  /// - Parameters:
  ///   - fileID: The file of the call, for `PromiseDiagnostics`.
  ///   - line: The line of the call.
  ///   - work: A closure that starts the work and returns a promise for its result. The closure runs inside this call.
  ///     If the call is refused, it is not called.
  @inlinable
  public func run<Value: Sendable>(
    fileID: StaticString = #fileID, line: UInt = #line, _ work: () -> Promise<Value, any Error>
  ) -> Promise<Value, any Error> {
    let phase: Int
    do throws(PromiseRefusalError) {
      phase = try begin()
    } catch {
      return .refused(error, at: CallSite(fileID, line))
    }
    let promise = work()
    if !endAtOnce(UntypedPromise(promise), began: phase) { watch(promise, began: phase) }
    return promise
  }

  /// Calls an async closure in the caller's own task, if the breaker admits the call.
  ///
  /// The closure runs on the actor of the caller, and may capture and return values that are not `Sendable`. A call
  /// never waits before it calls the closure, so the closure is called even if the task is cancelled already.
  ///
  /// - Parameters:
  ///   - isolation: The actor of the caller. Omit this argument.
  ///   - fileID: The file of the call, for `PromiseDiagnostics`.
  ///   - line: The line of the call.
  ///   - work: The closure to call. If the call is refused, it is not called.
  /// - Returns: The value of the closure.
  /// - Throws: The error of the closure. ``PromiseRefusalError/circuitOpen(retryAfter:)`` if the breaker refuses the
  ///   call.
  @inlinable
  public func perform<Value>(
    isolation: isolated (any Actor)? = #isolation, fileID: StaticString = #fileID, line: UInt = #line,
    _ work: nonisolated(nonsending) () async throws -> Value
  ) async throws -> Value {
    let phase = try begin()
    let call = NotedCall("PromiseCircuitBreaker.perform", at: CallSite(fileID, line))
    do {
      let value = try await work()
      end(began: phase)
      call?.end()
      return value
    } catch {
      end(throwing: error, began: phase)
      call?.end()
      throw error
    }
  }

  /// A description of the state, for `debugDescription`.
  var situation: String {
    let now = stopwatch.elapsed
    return circuit.withLock { $0.situation(at: now) }
  }

  /// Begins a call.
  ///
  /// - Returns: The number of the phase in which the call begins.
  @usableFromInline
  func begin() throws(PromiseRefusalError) -> Int {
    // A closed breaker admits all calls, whatever the time.
    if let phase = circuit.withLock({ $0.numberIfClosed }) { return phase }
    let now = stopwatch.elapsed
    let (admission, _, observer) = change { $0.begin(at: now) }
    switch admission {
    case .admitted(let phase): return phase
    case .refused(let wait):
      observer?(.refused)
      throw .circuitOpen(retryAfter: wait)
    }
  }

  /// Ends a call that has succeeded.
  @usableFromInline
  func end(began phase: Int) { end(.success, began: phase) }

  /// Ends a call that has thrown an error in the current task.
  @usableFromInline
  func end(throwing error: any Error, began phase: Int) {
    // A cancelled task may end with any error.
    if Task.isCancelled { end(.none, began: phase) } else { end(error, began: phase) }
  }

  /// Ends a call whose promise is fulfilled or cancelled already.
  ///
  /// - Returns: `false` if the promise is unresolved or rejected.
  @usableFromInline
  func endAtOnce(_ promise: UntypedPromise, began phase: Int) -> Bool {
    guard promise.isResolvedWithoutError else { return false }
    end(promise.hasValue ? .success : .none, began: phase)
    return true
  }

  /// Ends a call when its promise resolves, or when nothing needs the promise any more.
  @inlinable
  func watch<Value: Sendable>(_ promise: Promise<Value, any Error>, began phase: Int) {
    let end = ending(UntypedPromise(promise), began: phase)
    promise.whenResolvedOrUnneeded { result in
      switch result {
      case .value: end(.success(true))
      case .error(let error): end(.failure(error))
      case .cancelled: end(.success(false))
      }
    }
  }

  /// Returns a closure that ends a call. The closure receives the error of the promise, or whether the promise has a
  /// value.
  @usableFromInline
  func ending(_ promise: UntypedPromise, began phase: Int) -> @Sendable (Result<Bool, any Error>) -> Void {
    // The observer of a promise must not retain the promise.
    let reference = promise.reference
    return { [self] result in
      switch result {
      case .success(let hasValue): end(hasValue ? .success : .none, began: phase)
      // Work that was asked to cancel may end with any error.
      case .failure where reference.hasBeenAskedToCancel: end(.none, began: phase)
      case .failure(let error): end(error, began: phase)
      }
    }
  }

  private func end(_ error: any Error, began phase: Int) {
    end(error is CancellationError ? .none : isFailure(error) ? .failure : .success, began: phase)
  }

  private func end(_ verdict: CircuitState.Verdict, began phase: Int) {
    let now = stopwatch.elapsed
    let (counts, new, observer) = change { $0.end(verdict, began: phase, at: now) }
    guard let observer, counts else { return }
    switch verdict {
    case .success: observer(.succeeds)
    case .failure: observer(.fails)
    case .none: break
    }
    if new == .open { observer(.opens) }
  }

  /// Changes the state. After unlocking, delivers a new state to the observers.
  ///
  /// - Returns: The result of the change, the state if it is new, and the observer of the events.
  private func change<Result: Sendable>(
    _ body: (inout CircuitState) -> Result
  ) -> (result: Result, new: State?, observer: FlowObserver?) {
    let (result, new, observer) = circuit.withLock { circuit in
      let before = circuit.number
      let result = body(&circuit)
      let new = circuit.number == before ? nil : circuit.phase.state
      if let new { observers.record(new) }
      return (result, new, circuit.observer)
    }
    if new != nil { observers.deliver() }
    return (result, new, observer)
  }

  /// Sets an observer of the calls that succeed, fail or are refused, and of the openings, for a metrics library.
  package func observe(_ observer: @escaping FlowObserver) { circuit.withLock { $0.observer = observer } }
}
