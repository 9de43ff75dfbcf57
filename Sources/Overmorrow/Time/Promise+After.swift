extension Promise {
  /// A promise that is fulfilled after a while, and cancelled at once when that is asked for.
  ///
  /// - Parameters:
  ///   - context: Where it is fulfilled; by default `.main` if this is called on the main queue, else `.default`, and
  ///     so on `.immediate`, unless the clock is a ``PromiseSchedulingClock``, which then does it itself.
  ///   - value: What it is fulfilled with.
  ///   - delay: How long to wait; zero or less means as soon as possible.
  ///   - clock: What measures the delay.
  ///   - fileID: The file of the call, for ``PromiseDiagnostics``.
  ///   - line: The line of the call.
  public init(
    on context: PromiseContext = .auto, fulfilled value: Value, after delay: Duration,
    clock: any Clock<Duration> = ContinuousClock(),
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(on: context, with: .value(value), after: delay, clock: clock, fileID: fileID, line: line)
  }

  /// A promise that is rejected after a while, and cancelled at once when that is asked for.
  ///
  /// - Parameters:
  ///   - context: Where it is rejected; by default `.main` if this is called on the main queue, else `.default`, and so
  ///     on `.immediate`, unless the clock is a ``PromiseSchedulingClock``, which then does it itself.
  ///   - error: What it is rejected with.
  ///   - delay: How long to wait; zero or less means as soon as possible.
  ///   - clock: What measures the delay.
  ///   - fileID: The file of the call, for ``PromiseDiagnostics``.
  ///   - line: The line of the call.
  public init(
    on context: PromiseContext = .auto, rejected error: Failure, after delay: Duration,
    clock: any Clock<Duration> = ContinuousClock(),
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(on: context, with: .error(error), after: delay, clock: clock, fileID: fileID, line: line)
  }

  /// A promise that is resolved after a while, and cancelled at once when that is asked for.
  ///
  /// - Parameters:
  ///   - context: Where it is resolved; by default `.main` if this is called on the main queue, else `.default`, and so
  ///     on `.immediate`, unless the clock is a ``PromiseSchedulingClock``, which then does it itself.
  ///   - result: What it is resolved to.
  ///   - delay: How long to wait; zero or less means as soon as possible.
  ///   - clock: What measures the delay.
  ///   - fileID: The file of the call, for ``PromiseDiagnostics``.
  ///   - line: The line of the call.
  public init(
    on context: PromiseContext = .auto, with result: PromiseResult<Value, Failure>, after delay: Duration,
    clock: any Clock<Duration> = ContinuousClock(), fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(on: context, with: result, after: delay, clock: clock, at: CallSite(fileID, line), by: .timer)
  }

  /// The same for code of the library, which says where the user has asked for the promise, and what that waits for.
  init(
    on context: PromiseContext, with result: PromiseResult<Value, Failure>, after delay: Duration,
    clock: any Clock<Duration>, at site: CallSite, by kind: ProducerKind
  ) {
    let (promise, resolver) = Promise.makeForLibrary(at: site, by: kind)
    DelayedTurn(of: resolver, at: context.afterDelay(on: clock))
      .begin(with: result, after: delay, clock: clock, yieldingToRequests: true)
    self = promise
  }
}

extension PromiseContext {
  /// This context, for work that a timer starts: immediate work, and the call of an executor, goes to a queue, so that
  /// it delays no other timer. A clock that runs actions itself runs these, too, inside the action.
  ///
  /// - Parameter here: What takes the place of `.immediate`.
  func afterTimer(on clock: any Clock, insteadOfImmediate here: PromiseContext = .userInteractive) -> PromiseContext {
    if clock is any PromiseSchedulingClock { return later }
    return later == .immediate ? here : later.handedOverByTimers
  }

  /// The same for a result that is delayed: `.immediate` is as `.auto`, as of now.
  func afterDelay(on clock: any Clock) -> PromiseContext { afterTimer(on: clock, insteadOfImmediate: .auto) }
}
