internal import Overmorrow
internal import OvermorrowDiagnostics
public import OvermorrowEngine

extension PromiseLimiter {
  /// Calls an async closure as soon as a place is free, in the caller's own task.
  ///
  /// ```swift
  /// let page = try await limiter.perform {
  ///   try await service.page(at: url)
  /// }
  /// ```
  ///
  /// The closure has its place until it returns or throws. No task is created. The closure runs on the actor of the
  /// caller, may capture and return values that are not `Sendable`, and has the task-local values and the priority of
  /// the caller's task.
  ///
  /// The task waits in the same queue as the jobs of ``run(on:priority:fileID:line:_:)``. If the task is cancelled
  /// while it waits, it leaves the queue at once and the closure is not called. If the task is cancelled already, the
  /// closure is not called either, even if a place is free. If the task is cancelled later, the closure ends as it
  /// decides. ``cancelAll()`` ends the wait of a task, but does not cancel a task whose closure runs.
  ///
  /// **A closure must not wait for its own limiter if no place can become free before the closure has ended.** Such a
  /// wait is found out, even through the closures of other limiters and of other tasks, and throws
  /// ``PromiseRefusalError/waitsForItself``. Code of a task that the closure creates by `async let`, in a task
  /// group or by `Task` counts as code of the closure. Code of a detached task does not. If the limiter has a longest
  /// wait, the wait is not found out, because it ends with ``PromiseRefusalError/waitExpired(maxWait:width:)``. A wait
  /// is checked when it begins, and not again if the ``width`` of a limiter is reduced later.
  ///
  /// - Order: a task with a higher `priority` goes first. Of two tasks with the same `priority`, the one with the
  ///   higher task priority goes first, even if its task priority has risen while it waits. (On Apple's platforms, a
  ///   rise counts from macOS 26, iOS 26, tvOS 26, watchOS 26 and visionOS 26.) Otherwise, the order is that of the
  ///   calls. A job of `run` counts as a task of medium priority.
  /// - Parameters:
  ///   - priority: The priority of the closure. Closures and jobs with a higher priority start first. 0 by default.
  ///   - isolation: The actor of the caller. Omit this argument.
  ///   - fileID: The file of the call, for `PromiseDiagnostics`.
  ///   - line: The line of the call.
  ///   - body: The closure to call.
  /// - Returns: The value of the closure.
  /// - Throws: The error of the closure. `CancellationError` if the task was cancelled before its turn, or by
  ///   ``cancelAll()``. ``PromiseRefusalError`` if the limiter turns the task away, or if the task would wait for
  ///   itself.
  /// - Complexity: Logarithmic in the number of waiting jobs and tasks.
  @inlinable
  public func perform<Result>(
    priority: Int = 0, isolation: isolated (any Actor)? = #isolation,
    fileID: StaticString = #fileID, line: UInt = #line, _ body: nonisolated(nonsending) () async throws -> Result
  ) async throws -> Result {
    let turn: LimiterEntry
    if let found = try beginTurnAtOnce(CallSite(fileID, line)) {
      turn = found
    } else {
      turn = try await waitForTurn(priority: priority, CallSite(fileID, line))
    }
    defer { turn.end() }
    return try await TaskHolding.local.withValue(turn.makeHolding(isJob: false)) { try await body() }
  }

  /// Gives the current task a place, if there is room. Throws if the task is cancelled.
  @usableFromInline
  func beginTurnAtOnce(_ site: CallSite) throws -> LimiterEntry? {
    try Task.checkCancellation()
    let ticket = LimiterTicket(of: self, priority: 0, within: TaskHolding.innermost)
    if UntypedPromise.isWatching { ticket.beginCall(at: site, waitingFor: "its closure") }
    if begin(ticket) { return LimiterEntry(ticket: ticket) }
    ticket.endCall()
    return nil
  }

  /// Waits in the queue until the current task has a place.
  @usableFromInline
  nonisolated(nonsending) func waitForTurn(priority: Int, _ site: CallSite) async throws -> LimiterEntry {
    let ticket = LimiterTicket(
      of: self, priority: priority, taskPriority: Task.currentPriority.rawValue, within: TaskHolding.innermost)
    if UntypedPromise.isWatching { ticket.beginCall(at: site, waitingFor: "its turn in a limiter") }
    let endWait = UntypedPromise.isWatching ? TaskWaits.begin(for: ticket) : nil
    defer { endWait?() }
    if !ticket.beginWait(for: self) {
      ticket.endCall()
      throw PromiseRefusalError.waitsForItself
    }
    defer { ticket.endWait() }
    await withTaskCancellationHandler {
      await ticket.followingPriority { await ticket.waitForTurn() }
    } onCancel: {
      ticket.cancel()
    }
    let (isRunning, error) = state.withLock { _ in (ticket.phase == .running, ticket.error) }
    if !isRunning {
      times?.end(ticket)
      ticket.endCall()
      throw error ?? CancellationError()
    }
    ticket.call?.cause = "its closure"
    return LimiterEntry(ticket: ticket)
  }
}

extension PromiseLimiter: HoldingSource {
  func needs(first most: Int) -> HoldingNeeds? {
    // The longest wait ends a wait in any case.
    if wait != nil { return nil }
    let occupants = state.withLock { $0.occupants(first: most) }
    return occupants.map { ($0.tickets.map { .holding($0) }, $0.needed) }
  }
}

extension LimiterTicket {
  /// Suspends the current task until it has its turn or will never have one.
  fileprivate nonisolated(nonsending) func waitForTurn() async {
    await withCheckedContinuation { turn in
      let isOver = limiter.state.withLock { _ in
        work = .task { turn.resume() }
        return phase == .over
      }
      if isOver { turnAway() } else { limiter.enter(self) }
    }
  }

  /// Runs a closure, and moves the ticket in the queue if the priority of the current task rises meanwhile.
  nonisolated(nonsending) func followingPriority(_ body: nonisolated(nonsending) () async -> Void) async {
    if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
      await withTaskPriorityEscalationHandler {
        // The priority may have risen after the ticket was made and before the handler was there.
        limiter.raise(self, to: Task.currentPriority)
        await body()
      } onPriorityEscalated: { _, priority in
        self.limiter.raise(self, to: priority)
      }
    } else {
      await body()
    }
  }

  /// Asks the promise of a job to cancel, or ends the wait of a task.
  func cancel() {
    if hasPromise { return requestCancel() }
    limiter.change { state in
      if phase != .running { _ = state.leave(self) }
    }
    turnAway()
  }
}
