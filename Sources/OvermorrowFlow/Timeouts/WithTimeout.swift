public import Overmorrow
internal import OvermorrowDiagnostics
public import OvermorrowEngine

/// Calls an async closure, and asks the closure to cancel if it has not ended within a limit.
///
/// ```swift
/// let page = try await withTimeout(.seconds(20)) {
///   try await service.page()
/// }
/// ```
///
/// The closure runs on the actor of the caller, and may capture and return values that are not `Sendable`. The closure
/// reads the task-local values of the caller's task and has its priority. If the caller's task is cancelled, the
/// closure is cancelled. If that task is cancelled already, the closure is called, too, and decides how it ends.
///
/// At the deadline, the closure is asked to cancel like a cancelled task. **The call then waits until the closure has
/// ended**, so nothing runs on after the call. If the caller must not wait for a closure that may ignore the request,
/// use a promise: `Promise { … }.timeout(.seconds(2)).value` returns at the deadline.
///
/// The closure runs in a child task, because a task cannot be cancelled in part. No task sleeps for the limit if the
/// clock is the continuous clock or a `PromiseSchedulingClock`.
///
/// - Parameters:
///   - duration: The limit, counted from this call. If it is zero or less, the call throws the timeout error and does
///     not call the closure.
///   - clock: The clock that measures the limit. The continuous clock by default.
///   - isolation: The actor of the caller. Omit this argument.
///   - fileID: The file of the call, for `PromiseDiagnostics`.
///   - line: The line of the call.
///   - body: The closure to call.
/// - Returns: The value of the closure, if the closure ends before the deadline.
/// - Throws: The error of the closure, if the closure ends before the deadline. If the closure has not ended at the
///   deadline, `AsyncTimeoutError.timedOut`, whatever the later result of the closure.
@inlinable
public func withTimeout<Value>(
  _ duration: Duration, clock: any Clock<Duration> = ContinuousClock(), isolation: isolated (any Actor)? = #isolation,
  fileID: StaticString = #fileID, line: UInt = #line, _ body: nonisolated(nonsending) () async throws -> Value
) async throws -> Value {
  // Only this function depends on the type of the value. A child task would search the metadata of the type.
  var result: Result<Value, any Error>?
  try await performInChild(within: duration, clock, isolation: isolation, at: CallSite(fileID, line)) {
    do {
      result = .success(try await body())
    } catch {
      result = .failure(error)
    }
  }
  guard let result else { throw AsyncTimeoutError.timedOut }
  return try result.get()
}

/// Calls a closure in a child task. Throws the timeout error if the closure was not called, or was asked to cancel
/// because it had not ended at the deadline.
@usableFromInline
func performInChild(
  within duration: Duration, _ clock: any Clock<Duration>, isolation: isolated (any Actor)?, at site: CallSite,
  _ body: nonisolated(nonsending) () async -> Void
) async throws {
  guard duration > .zero else { throw AsyncTimeoutError.timedOut }
  let call = ChildCall()
  // A cancellation handler is user code, which must not run on the timers' queue.
  let context: PromiseContext = Timer.runsActions(clock) ? .immediate : .userInteractive
  let timer = Timer(after: duration, on: clock) { context.perform { call.requestCancel() } }
  let pending = TaskCall.begin("withTimeout", at: site)
  await call.run(isolation: isolation, pending, body)
  pending?.end()
  timer.cancel()
  if call.wasAsked { throw AsyncTimeoutError.timedOut }
}
