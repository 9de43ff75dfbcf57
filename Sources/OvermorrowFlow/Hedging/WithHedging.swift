internal import Overmorrow
internal import OvermorrowDiagnostics
internal import OvermorrowEngine

/// Calls an async closure, and calls it again if the first call is slow. The first call that succeeds wins.
///
/// ```swift
/// let page = try await withHedging(after: .milliseconds(300)) { _ in
///   try await service.page()
/// }
/// ```
///
/// Choose a delay that most calls do not exceed, such as the 95th percentile of the latency, so that few calls are made
/// twice. Use hedging only for calls that may be made twice.
///
/// While a call is running, a further call begins after each delay. When a call succeeds, the other calls are asked to
/// cancel, and **this function returns when they have ended**. If a call fails while others are running, the others
/// decide. If no other call is running, the function throws the error of the failed call at once, because hedging is
/// not a retry. The calls run in child tasks. If the caller's task is cancelled, all calls are cancelled and no further
/// call begins. If that task is cancelled already, no call begins.
///
/// - Parameters:
///   - delay: The delay after which a further call begins, counted from the begin of the previous call. Zero or less
///     means that all calls begin at once.
///   - attempts: The largest number of calls; 2 by default. A value below 1 counts as 1.
///   - clock: The clock that measures the delay. The continuous clock by default.
///   - isolation: The actor of the caller. Omit this argument.
///   - fileID: The file of the call, for `PromiseDiagnostics`.
///   - line: The line of the call.
///   - attempt: The closure to call. The closure is called with the number of the call, counted from 1.
/// - Returns: The value of the first call that succeeds.
/// - Throws: The error of the last call that has failed. `CancellationError` if the caller's task is cancelled before
///   the first call.
public func withHedging<Value: Sendable>(
  after delay: Duration, attempts: Int = 2, clock: any Clock<Duration> = ContinuousClock(),
  isolation: isolated (any Actor)? = #isolation, fileID: StaticString = #fileID, line: UInt = #line,
  @_inheritActorContext(always) _ attempt:
    @escaping @Sendable @isolated(any) (_ number: Int) async throws -> Value
) async throws -> Value {
  let attempts = Diagnostics.replace(attempts, by: max(attempts, 1), "withHedging.attempts")
  let pending = TaskCall.begin("withHedging", at: CallSite(fileID, line), waitingFor: "its attempts")
  defer { pending?.end() }
  return try await withThrowingTaskGroup(of: HedgingEvent<Value>.self, isolation: isolation) { group in
    defer { group.cancelAll() }
    var (begun, running) = (0, 0)
    func begin() {
      (begun, running) = (begun + 1, running + 1)
      group.addTask { [begun] in
        let child = pending?.beginChild()
        defer { pending?.endChild(child) }
        return await .ended(
          Result.catching {
            // The task may have been cancelled before it has started.
            try Task.checkCancellation()
            return try await attempt(begun)
          })
      }
      guard begun < attempts else { return }
      group.addTask {
        // A sleep that throws before the task is cancelled ends the delay.
        try? await clock.sleep(for: delay.asWait)
        return .delayed
      }
    }
    begin()
    while let event = try await group.next() {
      switch event {
      case .delayed:
        if !Task.isCancelled { begin() }
      case .ended(.success(let value)): return value
      case .ended(.failure(let error)):
        running -= 1
        if running == 0 { throw error }
      }
    }
    throw CancellationError()
  }
}

/// An event of a child task.
private enum HedgingEvent<Value: Sendable>: Sendable {
  /// The delay after the latest call has ended.
  case delayed
  case ended(Result<Value, any Error>)
}

extension Result where Failure == any Error {
  /// Returns the result of an async closure.
  fileprivate static func catching(_ body: () async throws -> Success) async -> Result {
    do {
      return .success(try await body())
    } catch {
      return .failure(error)
    }
  }
}
