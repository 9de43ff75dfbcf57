package import OvermorrowDiagnostics
package import OvermorrowEngine

extension Promise {
  /// Creates a promise that is fulfilled after a delay. A request to cancel cancels the promise at once.
  ///
  /// - Parameters:
  ///   - context: The context on which the promise is fulfilled. The default, `.auto`, is `.main` if this initializer
  ///     is called on the main queue, and otherwise `.default`. `.immediate` counts as `.auto`. With a
  ///     ``PromiseSchedulingClock``, however, `.immediate` fulfils the promise inside the clock's action.
  ///   - value: The value of the promise.
  ///   - delay: The delay. Zero or less means as soon as possible.
  ///   - clock: The clock that measures the delay. The continuous clock by default.
  ///   - fileID: The file of the call, for ``PromiseDiagnostics``.
  ///   - line: The line of the call.
  public init(
    on context: PromiseContext = .auto, fulfilled value: Value, after delay: Duration,
    clock: any Clock<Duration> = ContinuousClock(),
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(on: context, with: .value(value), after: delay, clock: clock, fileID: fileID, line: line)
  }

  /// Creates a promise that is rejected after a delay. A request to cancel cancels the promise at once.
  ///
  /// - Parameters:
  ///   - context: The context on which the promise is rejected. The default, `.auto`, is `.main` if this initializer is
  ///     called on the main queue, and otherwise `.default`. `.immediate` counts as `.auto`. With a
  ///     ``PromiseSchedulingClock``, however, `.immediate` rejects the promise inside the clock's action.
  ///   - error: The error of the promise.
  ///   - delay: The delay. Zero or less means as soon as possible.
  ///   - clock: The clock that measures the delay. The continuous clock by default.
  ///   - fileID: The file of the call, for ``PromiseDiagnostics``.
  ///   - line: The line of the call.
  public init(
    on context: PromiseContext = .auto, rejected error: Failure, after delay: Duration,
    clock: any Clock<Duration> = ContinuousClock(),
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(on: context, with: .error(error), after: delay, clock: clock, fileID: fileID, line: line)
  }

  /// Creates a promise that is resolved after a delay. A request to cancel cancels the promise at once.
  ///
  /// - Parameters:
  ///   - context: The context on which the promise is resolved. The default, `.auto`, is `.main` if this initializer is
  ///     called on the main queue, and otherwise `.default`. `.immediate` counts as `.auto`. With a
  ///     ``PromiseSchedulingClock``, however, `.immediate` resolves the promise inside the clock's action.
  ///   - result: The result of the promise.
  ///   - delay: The delay. Zero or less means as soon as possible.
  ///   - clock: The clock that measures the delay. The continuous clock by default.
  ///   - fileID: The file of the call, for ``PromiseDiagnostics``.
  ///   - line: The line of the call.
  public init(
    on context: PromiseContext = .auto, with result: PromiseResult<Value, Failure>, after delay: Duration,
    clock: any Clock<Duration> = ContinuousClock(), fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(on: context, with: result, after: delay, clock: clock, at: CallSite(fileID, line), by: .timer)
  }

  /// Creates a promise that is resolved after a delay, for code of the library. Diagnostics name the user's call site,
  /// and say that the promise waits for `kind`.
  package init(
    on context: PromiseContext, with result: PromiseResult<Value, Failure>, after delay: Duration,
    clock: any Clock<Duration>, at site: CallSite, by kind: ProducerKind
  ) {
    let (promise, resolver) = Promise.makeForLibrary(at: site, by: kind)
    DelayedTurn(of: resolver, at: context.afterDelay(on: clock))
      .begin(with: result, after: delay, clock: clock, yieldingToRequests: true)
    self = promise
  }

  /// Creates a promise that is resolved after a delay, and a closure that starts the delay. Code of the library adds
  /// steps before it starts the delay. An `.immediate` step of the promise therefore runs where the delay ends, which
  /// is on `context`, and not inside the call that adds the step.
  package static func makeDelayed(
    on context: PromiseContext, with result: PromiseResult<Value, Failure>, after delay: Duration,
    clock: any Clock<Duration>, at site: CallSite, by kind: ProducerKind
  ) -> (promise: Promise, start: () -> Void) {
    let (promise, resolver) = makeForLibrary(at: site, by: kind)
    let turn = DelayedTurn(of: resolver, at: context.afterDelay(on: clock))
    return (promise, { turn.begin(with: result, after: delay, clock: clock, yieldingToRequests: true) })
  }
}

extension PromiseContext {
  /// Returns the context to use in place of this context for work that a timer starts. Immediate work and calls of an
  /// executor are moved to a queue, so that they do not delay other timers. On a `PromiseSchedulingClock`, however,
  /// immediate work and calls of an executor stay inside the clock's action.
  ///
  /// - Parameter replacement: The context that replaces `.immediate`.
  package func afterTimer(
    on clock: any Clock, insteadOfImmediate replacement: PromiseContext = .userInteractive
  ) -> PromiseContext {
    if Timer.runsActions(clock) { return later }
    return later == .immediate ? replacement : later.forTimerWork
  }

  /// Returns the context to use in place of this context for a delayed result. Except on a `PromiseSchedulingClock`,
  /// `.immediate` is replaced by the context that `.auto` stands for at the time of this call.
  func afterDelay(on clock: any Clock) -> PromiseContext { afterTimer(on: clock, insteadOfImmediate: .auto) }
}
