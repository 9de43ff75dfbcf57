public import Overmorrow
internal import OvermorrowDiagnostics
public import OvermorrowEngine

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
  /// The longest wait in the queue; `nil` if there is no limit.
  let wait: LimiterWait?
  /// The times of the jobs and tasks; `nil` if the limiter does not record them.
  let times: LimiterTimes?

  /// Creates a limiter whose queue has no limit.
  ///
  /// - Parameter width: The largest number of jobs that may run at a time. A value below 1 counts as 1.
  public init(width: Int) {
    state = Guarded(LimiterState(width: PromiseLimiter.usable(width), maxPending: nil))
    wait = nil
    times = nil
  }

  /// Creates a limiter whose queue has limits, or that records times.
  ///
  /// Under overload, a queue without a limit grows, and each job waits until its result is of no use any more. A limit
  /// turns the surplus away at once or in time, so that the rest is still served.
  ///
  /// ```swift
  /// let limiter = PromiseLimiter(width: 8, maxPending: 100, maxWait: .seconds(2))
  /// ```
  ///
  /// A job that is turned away never runs. Its promise is rejected with a ``PromiseRefusalError``. If the failure type
  /// of the promise cannot represent this error, the promise is cancelled. `any Error` represents the error.
  ///
  /// - Parameters:
  ///   - width: The largest number of jobs that may run at a time. A value below 1 counts as 1.
  ///   - maxPending: The largest number of waiting jobs. A job that finds the queue full is turned away, whatever its
  ///     priority. A job does not count as waiting if a place is free for it. `nil`, the default, means no limit. With
  ///     0, only a job that finds a free place runs. A value below 0 counts as 0.
  ///   - maxWait: The longest time for which a job waits in the queue. A job that has got no place by then is turned
  ///     away. `nil`, the default, means no limit. Zero or less means that a job is turned away as soon as possible.
  ///     The time during which a job waits for its ``PromisePause`` does not count.
  ///   - recordsTimes: Whether ``waitTimes`` and ``runTimes`` record the times of the jobs. `false` by default.
  ///   - clock: The clock that measures `maxWait` and the recorded times. The continuous clock by default.
  public init(
    width: Int, maxPending: Int? = nil, maxWait: Duration? = nil, recordsTimes: Bool = false,
    clock: any Clock<Duration> = ContinuousClock()
  ) {
    let maxPending = maxPending.map { number in
      Diagnostics.replace(number, by: max(number, 0), "PromiseLimiter.maxPending")
    }
    state = Guarded(LimiterState(width: PromiseLimiter.usable(width), maxPending: maxPending))
    wait = maxWait.map { LimiterWait(longest: $0.asWait, clock: clock, elapsed: clock.stopwatch()) }
    times = recordsTimes ? LimiterTimes(clock) : nil
  }

  /// The largest number of jobs that may run at a time.
  ///
  /// A new width takes effect at once. If the width is larger, waiting jobs are started before the setter returns. If
  /// the width is smaller, running jobs are not affected, and no waiting job starts until enough running jobs are over.
  /// A value below 1 counts as 1.
  public var width: Int {
    get { state.withLock { $0.width } }
    set {
      let width = PromiseLimiter.usable(newValue)
      change { $0.width = width }
      start()
    }
  }

  private static func usable(_ width: Int) -> Int {
    Diagnostics.replace(width, by: max(width, 1), "PromiseLimiter.width")
  }

  /// The number of running jobs and of running closures of tasks.
  public var runningCount: Int { state.withLock { $0.running } }

  /// The number of jobs and tasks that wait for a place.
  public var pendingCount: Int { state.withLock { $0.pending.count } }

  /// The times for which the jobs that have got a place waited in the queue. Empty if the limiter does not record
  /// times.
  ///
  /// The time during which a job waits for its ``PromisePause`` does not count.
  public var waitTimes: PromiseHistogram { times?.waits ?? PromiseHistogram() }

  /// The times for which the ended jobs had their places. Empty if the limiter does not record times.
  public var runTimes: PromiseHistogram { times?.runs ?? PromiseHistogram() }

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
  @inlinable
  public func run<Value: Sendable, Failure: Sendable>(
    on context: PromiseContext, priority: Int = 0, fileID: StaticString = #fileID, line: UInt = #line,
    _ job: @escaping @Sendable () -> Promise<Value, Failure>
  ) -> Promise<Value, Failure> {
    let site = CallSite(fileID, line)
    if case .immediate = context, let cancellations = beginAtOnce() { return keep(job(), since: cancellations, site) }
    return submit(makeEntry(priority: priority, on: context), site, job)
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
  @inlinable
  public func run<Value: Sendable, Failure: Sendable>(
    priority: Int = 0, fileID: StaticString = #fileID, line: UInt = #line,
    @_inheritActorContext(always) _ job: @escaping @Sendable @isolated(any) () -> Promise<Value, Failure>
  ) -> Promise<Value, Failure> {
    submit(
      makeEntry(priority: priority, on: .isolated(to: job.isolation, otherwise: .default)), CallSite(fileID, line),
      Isolation.unchecked(job))
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
  @inlinable
  public func run<Value: Sendable, Failure: Error>(
    priority: Int = 0, fileID: StaticString = #fileID, line: UInt = #line,
    @_inheritActorContext(always) _ job: @escaping @Sendable @isolated(any) () async throws(Failure) -> Value
  ) -> Promise<Value, Failure> {
    let (taskPriority, site) = (Task.currentPriority, CallSite(fileID, line))
    let entry = makeEntry(priority: priority, on: .immediate)
    let isBegun = begin(entry)
    if isBegun, !UntypedPromise.isWatching {
      let promise = entry.inside { Promise(priority: taskPriority, at: site, job) }
      keep(UntypedPromise(promise), of: entry)
      return promise
    }
    let tasks = isBegun ? nil : entry.inside { CallerTasks() }
    return submit(entry, site, isBegun: isBegun) {
      tasks?.promise(priority: taskPriority, at: site, job)
        ?? entry.inside { Promise(priority: taskPriority, at: site, job) }
    }
  }

  /// Asks all jobs to cancel.
  ///
  /// Waiting jobs are cancelled before this call returns, and never run. Jobs that are added to the limiter after this
  /// call run as usual.
  public func cancelAll() {
    // Waiting jobs are removed first, because a running job may end at once, and its place must not go to a waiting
    // job.
    let tickets = change { $0.cancelAll() }
    PromiseCancellable.together { for ticket in tickets { ticket.cancel() } }
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

  /// Whether the limiter records times.
  package var recordsTimes: Bool { times != nil }

  /// Sets an observer of the recorded times, for a metrics library.
  ///
  /// - Parameter observer: A closure that is called with each time, on any thread. It is never called if the limiter
  ///   does not record times.
  package func observeTimes(_ observer: @escaping LimiterTimes.Observer) { times?.observe(observer) }
}
