public import Overmorrow
internal import OvermorrowEngine

/// Runs jobs that make promises, and limits the number of jobs that run at a time. The other jobs wait for their turn.
///
/// ```swift
/// let limiter = PromiseLimiter(width: 4)
/// let pages = when(fulfilled: urls.map { url in limiter.run(on: .utility) { fetch(url) } })
/// ```
///
/// A job is a closure and not a promise, because the work of an existing promise has already begun. A job takes a place
/// when the job is started, and frees the place when the promise of the job has resolved. **A limiter may be used from
/// any thread.**
///
/// You do not have to retain a limiter. The jobs that wait when the last reference to the limiter is released still
/// run.
public final class PromiseLimiter: Sendable {
  let state: Guarded<LimiterState>
  /// The token that asks the promises of all unfinished jobs to cancel.
  private let jobs = PromiseInvalidationToken(invalidateOnDeinit: false)

  /// Creates a limiter.
  ///
  /// - Parameter width: The largest number of jobs that may run at a time. A value below 1 counts as 1.
  public init(width: Int) { state = Guarded(LimiterState(width: PromiseLimiter.usable(width))) }

  /// The largest number of jobs that may run at a time.
  ///
  /// A new width takes effect at once. If the width is larger, waiting jobs are started before the setter returns. If
  /// the width is smaller, running jobs are not affected, and no waiting job starts until enough running jobs are over.
  /// A value below 1 counts as 1.
  public var width: Int {
    get { state.withLock { $0.width } }
    set {
      let width = PromiseLimiter.usable(newValue)
      start { $0.width = width }
    }
  }

  private static func usable(_ width: Int) -> Int {
    PromiseDiagnostics.replace(width, by: max(width, 1), "PromiseLimiter.width")
  }

  /// The number of running jobs.
  public var runningCount: Int { state.withLock { $0.running } }

  /// The number of waiting jobs.
  public var pendingCount: Int { state.withLock { $0.pending.count } }

  /// Runs a job as soon as a place is free.
  ///
  /// - Fulfils, fails, cancels: as the promise that `job` returns. A request to cancel before `job` is called cancels
  ///   the promise at once, frees the place of the job, and releases `job` without calling it. If an executor drops the
  ///   job, the promise is cancelled and the place is freed. A request to cancel after `job` was called withdraws one
  ///   vote on the promise that `job` has returned. The place is free when that promise has resolved.
  /// - Pauses: if the ``PromisePause`` of `context` is suspended when the job's turn comes, other jobs go first. When
  ///   the pause is resumed, the job enters the queue again like a new job.
  /// - Runs on: `context`. With `.immediate` or `.nowOr`, a job runs inside this call if a place is free, and otherwise
  ///   inside the call that frees a place.
  /// - Order: jobs with a higher priority start first, and jobs with the same priority start in the order of the calls.
  ///   When a job is over, the next job starts before the observers of the first job's promise run. A call that asks
  ///   many jobs to cancel, such as a request to a `when`, asks all these jobs before another job starts.
  /// - Parameters:
  ///   - context: The context on which `job` runs.
  ///   - priority: The priority of the job. Jobs with a higher priority start first. 0 by default.
  ///   - fileID: The file of the call, for `PromiseDiagnostics`.
  ///   - line: The line of the call.
  ///   - job: A closure that starts the work and returns a promise for the end of the work.
  /// - Complexity: Logarithmic in the number of waiting jobs.
  public func run<Value: Sendable, Failure: Sendable>(
    on context: PromiseContext, priority: Int = 0, fileID: StaticString = #fileID, line: UInt = #line,
    _ job: @escaping @Sendable () -> Promise<Value, Failure>
  ) -> Promise<Value, Failure> {
    queue(
      LimiterTicket(priority: priority, pauses: context.behindPauses.pauses), on: context, CallSite(fileID, line), job)
  }

  /// Runs a job as soon as a place is free, on the actor that the job is isolated to.
  ///
  /// Otherwise, this method behaves like ``run(on:priority:fileID:line:_:)``.
  ///
  /// - Runs on: the actor that `job` is isolated to, or `.default` if `job` is not isolated.
  /// - Parameters:
  ///   - priority: The priority of the job. Jobs with a higher priority start first. 0 by default.
  ///   - fileID: The file of the call, for `PromiseDiagnostics`.
  ///   - line: The line of the call.
  ///   - job: A closure that starts the work and returns a promise for the end of the work.
  public func run<Value: Sendable, Failure: Sendable>(
    priority: Int = 0, fileID: StaticString = #fileID, line: UInt = #line,
    @_inheritActorContext(always) _ job: @escaping @Sendable @isolated(any) () -> Promise<Value, Failure>
  ) -> Promise<Value, Failure> {
    queue(
      LimiterTicket(priority: priority, pauses: []), on: .isolated(to: job.isolation, otherwise: .default),
      CallSite(fileID, line), Isolation.unchecked(job))
  }

  /// Runs an async job as soon as a place is free.
  ///
  /// ```swift
  /// let page = limiter.run { try await service.page(at: url) }
  /// ```
  ///
  /// The job runs in its own task, and frees its place when the task has ended. Otherwise, this method behaves like
  /// ``run(on:priority:fileID:line:_:)``.
  ///
  /// - Fulfils, fails, cancels: with the value or the error of `job`, or cancelled if `job` throws `CancellationError`.
  ///   A request to cancel cancels the task. If the job still waits for a place, `job` never runs, and the promise is
  ///   cancelled at once.
  /// - Runs on: the actor that `job` is isolated to, or the global executor if `job` is not isolated.
  /// - Parameters:
  ///   - priority: The priority of the job. Jobs with a higher priority start first. 0 by default. The task has the
  ///     priority of the calling code.
  ///   - fileID: The file of the call, for `PromiseDiagnostics`.
  ///   - line: The line of the call.
  ///   - job: The async closure to run.
  public func run<Value: Sendable, Failure: Error>(
    priority: Int = 0, fileID: StaticString = #fileID, line: UInt = #line,
    @_inheritActorContext(always) _ job: @escaping @Sendable @isolated(any) () async throws(Failure) -> Value
  ) -> Promise<Value, Failure> {
    let (taskPriority, site) = (Task.currentPriority, CallSite(fileID, line))
    let ticket = LimiterTicket(priority: priority, pauses: [])
    if change({ $0.begin(ticket) }) {
      return queue(ticket, on: .immediate, site, isBegun: true) { Promise(priority: taskPriority, at: site, job) }
    }
    let tasks = CallerTasks()
    return queue(ticket, on: .immediate, site) { tasks.promise(priority: taskPriority, at: site, job) }
  }

  /// Asks all jobs to cancel.
  ///
  /// Waiting jobs are cancelled before this call returns, and never run. Jobs that are added to the limiter after this
  /// call run as usual.
  public func cancelAll() {
    // Waiting jobs are removed first, because a running job may end at once, and its place must not go to a waiting
    // job.
    let waiting = change { $0.removePending() }
    withExtendedLifetime(waiting) { jobs.cancelWithoutInvalidating() }
  }

  /// - Parameter isBegun: Whether the job already has its place.
  private func queue<Value, Failure>(
    _ ticket: LimiterTicket, on context: PromiseContext, _ site: CallSite, isBegun: Bool = false,
    _ job: @escaping @Sendable () -> Promise<Value, Failure>
  ) -> Promise<Value, Failure> {
    let (promise, work) = HeldWork<Value, Failure>.make(on: context, at: site, by: .job) { _ in job() }
    // The closure removes the job from the limiter when the promise is resolved by any cause, even while the job waits.
    // Until then, the closure retains the limiter.
    promise.whenResolved { [self] _ in
      change { $0.leave(ticket) }
      // A call that cancels many jobs cancels all these jobs before another job begins.
      PromiseCancellable.afterRequests { self.start { _ in } }
    }
    promise.requestCancelOnInvalidate(jobs)
    if isBegun { work.start() } else { start { $0.enter(ticket, with: work) } }
    return promise
  }

  /// Changes the state. After unlocking, starts the jobs whose turn has come.
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

  /// Changes the state. After unlocking, notifies the observer.
  private func change<Result>(_ body: (inout LimiterState) -> Result) -> Result {
    let (result, difference, observer) = state.withLock { state in
      let before = state.counts
      let result = body(&state)
      return (result, state.difference(from: before), state.observer)
    }
    observer?(difference)
    return result
  }

  /// Sets an observer of the changes of the numbers of running and waiting jobs, for a metrics library.
  ///
  /// - Parameter observer: A closure that is called with the differences, on any thread, in any order.
  package func observeCounts(_ observer: @escaping LimiterState.Observer) {
    _ = state.withLock { state in
      defer { state.observer = observer }
      return state.observer
    }
  }
}
