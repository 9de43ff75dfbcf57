internal import OvermorrowEngine

/// What a note knows of the waits of its promise.
struct WaitState: Sendable {
  /// The source that resolves the promise, such as a limiter.
  var source: WeakWaitSource?
  /// The task whose end resolves the promise, or the task that the step resumes.
  var task: Int?
  /// The blocking waits that the callback of the promise has called and that have not ended, the innermost one last.
  var blockedWaits: [WeakWaitSource] = []
  /// The wait of the promise in a cycle that was reported.
  var reportedWait: ReportedWait?
}

/// A wait of a promise: the promise before it, which is only compared, and the blocking wait of its callback.
struct ReportedWait: Sendable, Equatable {
  let upstream: UInt
  let blockedWait: ObjectIdentifier?
}

// The waits of the promise, for the graph of waits.
extension PromiseNote {
  /// Records that a source resolves the promise or keeps its callback. The note does not retain the source.
  package func wait(for source: any WaitSource) { state.withLock { $0.waits.source = WeakWaitSource(source) } }

  /// The blocking wait that the callback of the promise has called, or the source that resolves the promise, if it
  /// still exists.
  var waitSource: (any WaitSource)? { state.withLock { $0.waits.blockedWaits.last ?? $0.waits.source }?.source }

  /// Records that the callback of the promise has called a blocking wait, inside an earlier one if there is one.
  func begin(_ wait: BlockedWait) { state.withLock { $0.waits.blockedWaits.append(WeakWaitSource(wait)) } }

  /// Records the end of a blocking wait.
  func end(_ wait: BlockedWait) {
    state.withLock { $0.waits.blockedWaits.removeAll { $0.id == ObjectIdentifier(wait) } }
  }

  /// The current wait. The caller has a count on the core.
  private var currentWait: ReportedWait {
    ReportedWait(upstream: core.awaited.address, blockedWait: state.withLock { $0.waits.blockedWaits.last?.id })
  }

  /// Whether a cycle of waits with the promise was reported, and the promise has not begun another wait since. If a
  /// change has ended that cycle, such as a larger width of a limiter, the promise may be in another cycle later. The
  /// caller has a count on the core.
  var isInReportedCycle: Bool {
    guard let reported = state.withLock({ $0.waits.reportedWait }) else { return false }
    return reported == currentWait
  }

  /// Records that a cycle of waits with the promise was reported. The caller has a count on the core.
  func noteReportedCycle() {
    let wait = currentWait
    state.withLock { $0.waits.reportedWait = wait }
  }

  /// Records that the current task resolves the promise.
  package func noteTask() {
    let task = CurrentTask.number
    state.withLock { $0.waits.task = task }
  }

  /// The task whose end resolves the promise; `nil` if there is none, or if the task has not begun.
  package var task: Int? { producer.isTask ? state.withLock { $0.waits.task } : nil }

  /// Records that the current task waits for a promise through a step, whose note this is. Reports the cycle if this
  /// wait closes one.
  func beginWait(for promise: CoreRef, through step: CoreRef) {
    guard !promise.state.isResolved, let task = CurrentTask.number else { return }
    state.withLock { $0.waits.task = task }
    TaskWaits.begin(.promise(KeptCore(promise), step: WeakCore(step, isExposed: false)), of: task, number)
    WaitGraph.check(from: WaitNode(task: task))
  }
}
