public import Overmorrow
package import OvermorrowDiagnostics
public import OvermorrowEngine

/// A gate through which work is started, and which can be closed to wait for the end of the work.
///
/// ```swift
/// let gate = PromiseGate()
///
/// func answer(_ request: Request) async throws -> Response {
///   try await gate.perform { try await respond(to: request) }
/// }
///
/// func shutDown() async throws {
///   try await gate.close(cancellingAfter: .seconds(10))
/// }
/// ```
///
/// A closed gate refuses new work with ``PromiseRefusalError/gateClosed``, and stays closed. In async code, `close`
/// waits for the end of the work that was running. In other code, it returns a promise for that end. **A gate may be
/// used from any thread.**
///
/// A gate records only the running work. It has one entry for each caller that waits for an async closure, and one for
/// each unresolved promise.
public final class PromiseGate: Sendable {
  let state = Guarded(GateState())
  /// The token that asks the running promises to cancel.
  private let promises = PromiseInvalidationToken(invalidateOnDeinit: false)

  /// Creates an open gate.
  public init() {}

  /// Whether the gate is closed.
  public var isClosed: Bool { state.withLock { $0.end != nil } }

  /// The number of running promises and async closures.
  public var runningCount: Int { state.withLock { $0.running } }

  /// Starts work whose result is a promise, if the gate is open.
  ///
  /// - Returns: The promise of the work. If the gate is closed, a promise that is rejected with
  ///   ``PromiseRefusalError/gateClosed``.
  /// - Parameters:
  ///   - fileID: The file of the call, for `PromiseDiagnostics`.
  ///   - line: The line of the call.
  ///   - work: A closure that starts the work and returns a promise for its end. The closure runs inside this call. If
  ///     the gate is closed, it is not called.
  public func run<Value: Sendable>(
    fileID: StaticString = #fileID, line: UInt = #line, _ work: () -> Promise<Value, any Error>
  ) -> Promise<Value, any Error> {
    guard enter() else { return .refused(.gateClosed, at: CallSite(fileID, line)) }
    let promise = work()
    if promise.isResolved {
      leave()
      return promise
    }
    let number = note(promise)
    promise.whenResolved { [self] _ in
      if let number { withExtendedLifetime(state.withLock { $0.promises.removeValue(forKey: number) }) {} }
      leave()
    }
    promise.requestCancelOnInvalidate(promises)
    // The token asks only the promises that were registered before its invalidation.
    if state.withLock({ $0.isCancelling }) { promise.requestCancel() }
    return promise
  }

  /// Calls an async closure in a child task, if the gate is open.
  ///
  /// The closure runs on the actor of the caller, and may capture and return values that are not `Sendable`. The
  /// closure has the priority and the task-local values of the caller's task, and is cancelled together with the
  /// caller's task. When the gate asks its work to cancel, only the closure is cancelled. A call never waits before it
  /// calls the closure, so the closure is called even if the task is cancelled already.
  ///
  /// - Parameters:
  ///   - isolation: The actor of the caller. Omit this argument.
  ///   - fileID: The file of the call, for `PromiseDiagnostics`.
  ///   - line: The line of the call.
  ///   - work: The closure to call. If the gate is closed, it is not called.
  /// - Returns: The value of the closure.
  /// - Throws: The error of the closure. ``PromiseRefusalError/gateClosed`` if the gate is closed.
  @inlinable
  public func perform<Value>(
    isolation: isolated (any Actor)? = #isolation, fileID: StaticString = #fileID, line: UInt = #line,
    _ work: nonisolated(nonsending) () async throws -> Value
  ) async throws -> Value {
    // Only this function depends on the type of the value. A child task would search the metadata of the type.
    var result: Result<Value, any Error>?
    try await performInChild(isolation: isolation, at: CallSite(fileID, line)) {
      do {
        result = .success(try await work())
      } catch {
        result = .failure(error)
      }
    }
    guard let result else { throw CancellationError() }
    return try result.get()
  }

  /// Calls an async closure in a child task. Throws if the gate is closed.
  @usableFromInline
  func performInChild(
    isolation: isolated (any Actor)?, at site: CallSite, _ work: nonisolated(nonsending) () async -> Void
  ) async throws {
    let call = ChildCall()
    guard enter(call) else { throw PromiseRefusalError.gateClosed }
    defer { leave(call) }
    let pending = TaskCall.begin("PromiseGate.perform", at: site)
    defer { pending?.end() }
    await call.run(isolation: isolation, pending, isNoted: pending != nil, work)
  }

  /// Closes the gate, and returns a promise for the end of the running work.
  ///
  /// A second call returns the same promise, and may add an earlier deadline.
  ///
  /// - Fulfils: when no work is running. If no work is running now, inside this call.
  /// - Cancels: never. A request to cancel this promise has no effect on the work.
  /// - Parameters:
  ///   - deadline: The time after which the running work is asked to cancel, counted from this call. Zero or less means
  ///     inside this call. `nil`, the default, means never. The promise waits for the end of the work in any case.
  ///   - clock: The clock that measures the deadline. The continuous clock by default.
  ///   - fileID: The file of the call, for `PromiseDiagnostics`.
  ///   - line: The line of the call.
  @discardableResult
  public func close(
    cancellingAfter deadline: Duration? = nil, clock: any Clock<Duration> = ContinuousClock(),
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Promise<Void, Never> {
    let new = Promise<Void, Never>.makeForLibrary(at: CallSite(fileID, line))
    let (end, ended) = state.withLock { $0.close(with: new) }
    if UntypedPromise.isWatching {
      UntypedPromise(end).isResolved(by: self)
      if deadline != nil { state.withLock { $0.hasDeadline = true } }
    }
    if let ended {
      ended.fulfill(with: ())
    } else if let deadline {
      askToCancel(after: deadline, clock, unless: end)
    }
    return end
  }

  /// Closes the gate, and waits for the end of the running work.
  ///
  /// Async code calls this form. For the promise, write its type: `let end: Promise<Void, Never> = gate.close()`.
  ///
  /// - Parameters:
  ///   - deadline: The time after which the running work is asked to cancel, counted from this call. Zero or less means
  ///     inside this call. `nil`, the default, means never. The call waits for the end of the work in any case.
  ///   - clock: The clock that measures the deadline. The continuous clock by default.
  ///   - fileID: The file of the call, for `PromiseDiagnostics`.
  ///   - line: The line of the call.
  /// - Throws: `CancellationError` if the task of the caller is cancelled before the work has ended. The gate stays
  ///   closed, and the work goes on.
  public nonisolated(nonsending) func close(
    cancellingAfter deadline: Duration? = nil, clock: any Clock<Duration> = ContinuousClock(),
    fileID: StaticString = #fileID, line: UInt = #line
  ) async throws {
    let end: Promise<Void, Never> = close(cancellingAfter: deadline, clock: clock, fileID: fileID, line: line)
    try await end.value
  }

  private func askToCancel(after deadline: Duration, _ clock: any Clock<Duration>, unless end: Promise<Void, Never>) {
    guard deadline > .zero else { return askToCancel() }
    // A cancel handler may be user code, which must not run on the timers' queue.
    let context: PromiseContext = Timer.runsActions(clock) ? .immediate : .default
    let timer = Timer(after: deadline, on: clock) { context.perform { self.askToCancel() } }
    end.whenResolved { _ in timer.cancel() }
  }

  private func askToCancel() {
    for call in state.withLock({ $0.cancel() }) { call.requestCancel() }
    promises.cancelWithoutInvalidating()
  }

  /// Admits work if the gate is open. Returns whether the work was admitted.
  private func enter(_ call: ChildCall? = nil) -> Bool {
    let (isAdmitted, observer) = state.withLock { ($0.enter(call), $0.observer) }
    observer?(isAdmitted ? .begins : .refused)
    return isAdmitted
  }

  private func leave(_ call: ChildCall? = nil) {
    let (ended, observer) = state.withLock { ($0.leave(call), $0.observer) }
    observer?(.ends)
    ended?.fulfill(with: ())
  }

  /// Sets an observer of the work that begins, ends and is refused, for a metrics library.
  package func observe(_ observer: @escaping FlowObserver) { state.withLock { $0.observer = observer } }
}

extension PromiseGate: WaitSource {
  /// Records a running promise if promises may be watched. Returns the number of the record.
  private func note<Value>(_ promise: Promise<Value, any Error>) -> UInt? {
    guard UntypedPromise.isWatching, !promise.isResolved else { return nil }
    let node = WaitNode(promise)
    let (number, end) = state.withLock { state -> (UInt, Promise<Void, Never>?) in
      state.lastNumber += 1
      state.promises[state.lastNumber] = node
      return (state.lastNumber, state.end?.promise)
    }
    // The work may already wait for the end of the gate.
    if let end { UntypedPromise(end).reportCycle() }
    return number
  }

  /// All running work must end. A deadline asks the work to cancel, so it ends the wait in another way.
  package var needs: WaitNeeds? {
    let (nodes, calls) = state.withLock { state -> ([WaitNode], [ChildCall]) in
      state.hasDeadline || state.isCancelling ? ([], []) : (Array(state.promises.values), Array(state.calls.values))
    }
    let all = nodes + calls.compactMap { $0.number.map { WaitNode(task: $0) } }
    return all.isEmpty ? nil : WaitNeeds(all, count: all.count, clause: "waits for the work of a gate, such as")
  }
}
