public import Overmorrow
internal import OvermorrowEngine

// The parts of a limiter that depend on no types. The generic methods are inlinable and call these functions, so a
// client does not pay for generic code that the compiler cannot specialise.

/// The longest wait of a limiter's jobs and tasks, and the clock that measures it.
struct LimiterWait: Sendable {
  let longest: Duration
  let clock: any Clock<Duration>
  /// The time since the limiter was made.
  let elapsed: @Sendable () -> Duration
}

extension PromiseLimiter {
  // MARK: Jobs without a ticket

  /// Takes a place for a job that ends inside the call that submits it. Watched programs make no use of this, because
  /// the diagnostics show a promise for each job. A limiter that records times makes no use of this, because a time
  /// belongs to a ticket.
  ///
  /// - Returns: The number of calls of `cancelAll()` so far, or `nil` if there is no room.
  @usableFromInline
  func beginAtOnce() -> Int? { UntypedPromise.isWatching || times != nil ? nil : change { $0.beginAtOnce() } }

  /// Frees the place of a job without a ticket.
  @usableFromInline
  func endAtOnce() {
    if change({ $0.endAtOnce() }) { startNext() }
  }

  /// Gives a ticket to a job that has its place and has not ended at once. Resolves the promise for the end of the job
  /// with the promise that the job has returned.
  ///
  /// - Parameter cancellations: The number of calls of `cancelAll()` when the job began.
  @usableFromInline
  func keep(
    _ promise: UntypedPromise, _ resolver: UntypedResolver, following inner: UntypedPromise, since cancellations: Int
  ) {
    let ticket = LimiterTicket(of: self, priority: 0)
    ticket.keep(promise)
    let isAsked = change { state in
      state.keep(ticket)
      return state.cancellations != cancellations
    }
    promise.whenResolved { ticket.end() }
    resolver.resolve(with: inner)
    if isAsked { ticket.requestCancel() }
  }

  // MARK: Jobs with a ticket

  @usableFromInline
  func makeEntry(priority: Int, on context: PromiseContext) -> LimiterEntry {
    if case .immediate = context { return LimiterEntry(ticket: LimiterTicket(of: self, priority: priority)) }
    return LimiterEntry(
      ticket: LimiterTicket(of: self, priority: priority, on: context, pauses: context.behindPauses.pauses))
  }

  /// Takes a place for a ticket, if there is room.
  @usableFromInline
  func begin(_ entry: LimiterEntry) -> Bool { begin(entry.ticket) }

  func begin(_ ticket: LimiterTicket) -> Bool {
    guard change({ $0.begin(ticket) }) else { return false }
    times?.start(ticket, atOnce: true)
    return true
  }

  /// Sets the promise of a job that has its place and has begun.
  @usableFromInline
  func keep(_ promise: UntypedPromise, of entry: LimiterEntry) {
    let ticket = entry.ticket
    let isAsked = state.withLock { _ in
      ticket.keep(promise)
      return ticket.isAsked
    }
    promise.whenResolved { ticket.end() }
    if isAsked { ticket.requestCancel() }
  }

  /// Adds a job to the queue, and starts jobs while places are free.
  ///
  /// - Parameters:
  ///   - promise: The promise for the end of the job.
  ///   - resolver: The resolver of the promise.
  ///   - isBegun: Whether the job already has its place.
  @usableFromInline
  func submit(
    _ entry: LimiterEntry, _ promise: UntypedPromise, _ resolver: UntypedResolver, isBegun: Bool,
    _ job: @escaping LimiterJob
  ) {
    let ticket = entry.ticket
    if isBegun {
      keep(promise, of: entry)
      return job(resolver, nil)
    }
    // The limiter does not know the ticket yet, so the lock is not needed.
    ticket.keep(promise)
    ticket.work = .job(job, resolver)
    if UntypedPromise.isWatching { promise.isResolved(by: ticket) }
    promise.whenResolved { ticket.end() }
    // The handler must not retain the resolver.
    resolver.onRequestCancel { ticket.cancelJob($0) }
    enter(ticket)
  }

  func enter(_ ticket: LimiterTicket) {
    let deadline = wait.map { $0.elapsed() + $0.longest }
    times?.enter(ticket)
    let entrance = change { $0.enter(ticket, until: deadline) }
    // A job that was cancelled while it waited for its pause has ended before.
    if let times, ticket.isOver { times.end(ticket) }
    switch entrance {
    case .waits: setTimer()
    case .mayStart:
      start()
      setTimer()
    case .followsOthers:
      // The others may wait for the end of a call that asks many jobs to cancel.
      startNext()
      setTimer()
    case .isRefused: ticket.turnAway()
    }
  }

  /// Starts jobs and resumes tasks while places are free.
  ///
  /// A job that is called inside this call does not belong to the closure of `perform`, or to the load of a cache,
  /// whose code frees the place.
  func start() {
    // The code of a load has a holding, too.
    if TaskHolding.local.get() == nil { return grantTurns() }
    TaskHolding.local.withValue(nil, operation: grantTurns)
  }

  private func grantTurns() {
    while let grant = change({ $0.grantTurn() }) {
      switch grant {
      case .job(let ticket, let resolver):
        times?.start(ticket)
        if let resolver { ticket.start(with: resolver) }
      case .immediateJob(let ticket, let job, let resolver):
        times?.start(ticket)
        if let resolver { resolver.run(job) }
      case .task(let ticket, let resume):
        // The task may be resumed later, but it does not wait any more.
        ticket.endWait()
        times?.start(ticket)
        resume()
      case .paused(let ticket, let resolver, let pause):
        times?.pause(ticket)
        pause.enter(on: .immediate) { [self] in
          state.withLock { _ in ticket.putBack(resolver) }
          enter(ticket)
        }
      }
    }
  }

  /// Starts the next jobs and tasks. A call that cancels many jobs cancels all these jobs before another job begins.
  func startNext() { PromiseCancellable.afterRequests { self.start() } }

  // MARK: Priorities

  /// Changes the priority of a waiting job.
  ///
  /// The job keeps its age: among the jobs with its new priority, the one that was submitted first still starts first.
  ///
  /// - Parameters:
  ///   - priority: The new priority.
  ///   - promise: The promise that `run` has returned for the job.
  /// - Returns: Whether the job waits in the queue. Otherwise, the call has no effect.
  /// - Complexity: Linear in the number of waiting jobs.
  @discardableResult
  public func setPriority<Value, Failure>(_ priority: Int, of promise: Promise<Value, Failure>) -> Bool {
    let promise = UntypedPromise(promise)
    return state.withLock { state in
      guard let ticket = state.pending.firstEntry(where: { $0.belongs(to: promise) }) else { return false }
      ticket.priority = priority
      state.reorder(ticket)
      return true
    }
  }

  /// Raises the task priority of a waiting task. Does nothing if the priority is not higher, because the calls of this
  /// method for a task may come in any order.
  func raise(_ ticket: LimiterTicket, to priority: TaskPriority) {
    state.withLock { state in
      guard priority.rawValue > ticket.taskPriority else { return }
      ticket.taskPriority = priority.rawValue
      state.reorder(ticket)
    }
  }

  // MARK: The longest wait

  /// Sets the timer for the first deadline, if it is not set.
  private func setTimer() {
    guard let wait, let (time, number) = state.withLock({ $0.deadlines.beginArming() }) else { return }
    let place: PromiseContext = Timer.runsActions(wait.clock) ? .immediate : .userInteractive
    let timer = Timer(after: time - wait.elapsed(), on: wait.clock) { [weak self] in
      guard let self else { return }
      place.perform { self.endOverdue(number) }
    }
    state.withLock { $0.deadlines.timer.keep(timer, number) }?.cancel()
  }

  /// Ends the waits whose deadlines have passed.
  ///
  /// - Parameter number: The number of the timer that has ended. A clock may run the action of a timer late, when there
  ///   is a newer timer.
  private func endOverdue(_ number: Int) {
    guard let wait else { return }
    let now = wait.elapsed()
    let (overdue, timer) = change { state in
      let timer = state.deadlines.timer.end(number)
      return (state.takeOverdue(at: now, .waitExpired(maxWait: wait.longest, width: state.width)), timer)
    }
    withExtendedLifetime(timer) {}
    for ticket in overdue { ticket.turnAway() }
    setTimer()
  }

  // MARK: Changes

  /// Changes the state. After unlocking, notifies the observer, and ends a timer for which nothing waits any more.
  func change<Result>(_ body: (inout LimiterState) -> Result) -> Result {
    let (result, notify, timer) = state.withLock { state -> (Result, (@Sendable () -> Void)?, Timer?) in
      guard state.observer != nil || state.deadlines.timer.isArmed else { return (body(&state), nil, nil) }
      let before = state.counts
      let result = body(&state)
      let timer = state.pending.count == 0 ? state.deadlines.timer.disarm() : nil
      return (result, state.notification(of: before), timer)
    }
    timer?.cancel()
    notify?()
    return result
  }
}

extension LimiterTicket {
  /// Starts a job that has its place.
  func start(with resolver: UntypedResolver) {
    context.perform {
      guard case .job(let job, _) = self.limiter.state.withLock({ _ in self.takeWork() }) else { return }
      resolver.run(job)
    }
  }

  /// Cancels the job's promise if the job has not been called.
  func cancelJob(_ resolver: UntypedResolver?) {
    if case .job = limiter.state.withLock({ _ in takeWork() }) { resolver?.cancel() }
  }

  /// Ends a job or a task that gets no turn.
  func turnAway() {
    let (work, error) = limiter.state.withLock { _ -> (Work, PromiseRefusalError?) in (self.takeWork(), self.error) }
    switch work {
    case .job(let job, let resolver): if let resolver { job(resolver, error) }
    case .task(let resume):
      endWait()
      resume()
    case .none: break
    }
  }

  /// Frees the place.
  func end() {
    let isNext = limiter.change { $0.leave(self) }
    limiter.times?.end(self)
    endCall()
    releaseOuter()
    if isNext { limiter.startNext() }
  }
}

extension UntypedResolver {
  /// Starts the job of the promise.
  fileprivate func run(_ job: LimiterJob) {
    let endCallback = UntypedPromise.isWatching ? beginCallback() : nil
    job(self, nil)
    endCallback?()
  }
}
