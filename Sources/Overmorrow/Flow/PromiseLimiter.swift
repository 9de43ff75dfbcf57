/// Runs jobs that make promises, no more than a few of them at a time; the others wait for their turn.
///
/// ```swift
/// let limiter = PromiseLimiter(width: 4)
/// let pages = when(fulfilled: urls.map { url in limiter.run(on: .utility) { fetch(url) } })
/// ```
///
/// A job is a closure, as a promise has begun already. It keeps its place from when it is started until the promise
/// that it returns has resolved. **A limiter may be used from any thread.**
///
/// A limiter need not be kept: jobs that wait when the last reference to it goes are run all the same.
public final class PromiseLimiter: Sendable {
  let state: Guarded<LimiterState>
  /// Reaches the promises of all jobs that are not over.
  private let jobs = PromiseInvalidationToken(invalidateOnDeinit: false)

  /// A limiter without jobs.
  ///
  /// - Parameter width: How many jobs may run at a time; less than 1 counts as 1.
  public init(width: Int) { state = Guarded(LimiterState(width: PromiseLimiter.usable(width))) }

  /// How many jobs may run at a time.
  ///
  /// Setting it takes effect at once: with more room, jobs that wait are started by the time this returns; with less,
  /// those that run are left alone, and no other starts until enough of them are over. Less than 1 counts as 1.
  public var width: Int {
    get { state.withLock { $0.width } }
    set {
      let width = PromiseLimiter.usable(newValue)
      start { $0.width = width }
    }
  }

  private static func usable(_ width: Int) -> Int {
    Diagnostics.replace(width, by: max(width, 1), "PromiseLimiter.width")
  }

  /// How many jobs have their turn.
  public var runningCount: Int { state.withLock { $0.running } }

  /// How many jobs wait for their turn.
  public var pendingCount: Int { state.withLock { $0.pending.count } }

  /// Runs a job when there is room for it.
  ///
  /// - Fulfils, fails, cancels: as the promise that `job` returns. A request to cancel before `job` is called cancels
  ///   the promise at once and frees its place, and `job` is released without having been called; the same holds when
  ///   an executor drops the job. A later request counts as one child's request on the promise that `job` has returned;
  ///   the place is free when that has resolved.
  /// - Pauses: a job whose context is under a ``PromisePause`` that is suspended when its turn comes lets others go
  ///   first. When the pause is resumed, the job waits again, as if it had just come.
  /// - Runs on: `context`. With `.immediate` or `.nowOr` a job runs inside this call if there is room, otherwise inside
  ///   the call that makes room.
  /// - Order: jobs are started by priority; those of the same priority first in, first out. When a job is over, the
  ///   next one is started before the observers of the promise run. A call that asks many to cancel, as a `when` does,
  ///   asks all of them before another one is started.
  /// - Parameters:
  ///   - context: Where the job runs.
  ///   - priority: Higher ones are started first.
  ///   - fileID: The file of the call, for ``PromiseDiagnostics``.
  ///   - line: The line of the call.
  ///   - job: Begins the work, and returns a promise for its end.
  /// - Complexity: Logarithmic in the number of jobs that wait.
  public func run<Value: Sendable, Failure: Sendable>(
    on context: PromiseContext, priority: Int = 0, fileID: StaticString = #fileID, line: UInt = #line,
    _ job: @escaping @Sendable () -> Promise<Value, Failure>
  ) -> Promise<Value, Failure> {
    queue(on: context, priority, CallSite(fileID, line), job)
  }

  /// Runs a job when there is room for it, where the closure belongs.
  ///
  /// Behaves as ``run(on:priority:fileID:line:_:)`` otherwise.
  ///
  /// - Runs on: the actor that `job` belongs to, or `.default` if it belongs to none.
  /// - Parameters:
  ///   - priority: Higher ones are started first.
  ///   - fileID: The file of the call, for ``PromiseDiagnostics``.
  ///   - line: The line of the call.
  ///   - job: Begins the work, and returns a promise for its end.
  public func run<Value: Sendable, Failure: Sendable>(
    priority: Int = 0, fileID: StaticString = #fileID, line: UInt = #line,
    @_inheritActorContext(always) _ job: @escaping @Sendable @isolated(any) () -> Promise<Value, Failure>
  ) -> Promise<Value, Failure> {
    queue(on: .here(job.isolation, otherwise: .default), priority, CallSite(fileID, line), Isolation.unchecked(job))
  }

  /// Runs an async job when there is room for it.
  ///
  /// ```swift
  /// let page = limiter.run { try await service.page(at: url) }
  /// ```
  ///
  /// The job runs in a task of its own, and keeps its place until that has ended. Behaves as
  /// ``run(on:priority:fileID:line:_:)`` otherwise.
  ///
  /// - Fulfils, fails, cancels: with what `job` returns or throws; cancels if that is `CancellationError`. A request to
  ///   cancel cancels the task; before the job has begun it never begins.
  /// - Runs on: the actor that `job` belongs to, or else the global executor.
  /// - Parameters:
  ///   - priority: Higher ones are started first. The task has the priority of the code that calls this.
  ///   - fileID: The file of the call, for ``PromiseDiagnostics``.
  ///   - line: The line of the call.
  ///   - job: The work.
  public func run<Value: Sendable, Failure: Error>(
    priority: Int = 0, fileID: StaticString = #fileID, line: UInt = #line,
    @_inheritActorContext(always) _ job: @escaping @Sendable @isolated(any) () async throws(Failure) -> Value
  ) -> Promise<Value, Failure> {
    let (taskPriority, site) = (Task.currentPriority, CallSite(fileID, line))
    return queue(on: .immediate, priority, site) { Promise(priority: taskPriority, at: site, job) }
  }

  /// Asks all jobs to cancel.
  ///
  /// Those that wait are cancelled by the time this returns, and never run. Jobs that are given to the limiter later
  /// run as usual.
  public func cancelAll() {
    // First those that wait: one that runs may end at once, and must not make room for them.
    let waiting = change { $0.giveUpPending() }
    withExtendedLifetime(waiting) { jobs.cancelWithoutInvalidating() }
  }

  private func queue<Value, Failure>(
    on context: PromiseContext, _ priority: Int, _ site: CallSite,
    _ job: @escaping @Sendable () -> Promise<Value, Failure>
  ) -> Promise<Value, Failure> {
    let (promise, work) = HeldWork<Value, Failure>.make(on: context, at: site, by: .job) { _ in job() }
    let ticket = LimiterTicket(priority: priority, pause: context.behindPause.line)
    // However the promise ends, also while the job waits: its place is free. This keeps the limiter as long.
    promise.whenOver { [self] _ in
      change { $0.leave(ticket) }
      // A call that cancels many jobs cancels all of them before another one begins.
      RequestLoop.afterwards { self.start { _ in } }
    }
    promise.requestCancelOnInvalidate(jobs)
    start { $0.enter(ticket, with: work) }
    return promise
  }

  /// Changes the state, then starts the jobs whose turn has come, after unlocking.
  private func start(_ body: (inout LimiterState) -> Void) {
    let turns = change { state in
      body(&state)
      return state.grantTurns()
    }
    for (ticket, job, pause) in turns {
      guard let pause else {
        job.start()
        continue
      }
      pause.enter(on: .immediate) { self.start { $0.enter(ticket, with: job) } }
    }
  }

  /// Changes the state, and notifies the observer after unlocking.
  private func change<Result>(_ body: (inout LimiterState) -> Result) -> Result {
    let (result, difference, observer) = state.withLock { state in
      let before = state.counts
      let result = body(&state)
      return (result, state.difference(from: before), state.observer)
    }
    observer?(difference)
    return result
  }

  /// Tells of each change of the numbers of jobs that run and that wait, for a metrics library.
  ///
  /// - Parameter observer: Called with the differences, on any thread, in any order.
  package func observeCounts(_ observer: @escaping LimiterState.Observer) { state.withLock { $0.observer = observer } }
}
