/// Runs the task of a row on the calling thread, and calls `wake` whenever the task waits.
///
/// No other thread is involved, so the cost is repeatable.
final class OneThread: TaskExecutor {
  /// Which of the waiting jobs runs next.
  enum Order { case newest, oldest }

  private let order: Order
  // Used only by the thread that runs the task, as is the content of a `Slot`.
  nonisolated(unsafe) private var jobs: [UnownedJob] = []
  nonisolated(unsafe) private var oldest = 0

  init(runs order: Order = .newest) { self.order = order }

  func enqueue(_ job: consuming ExecutorJob) { append(UnownedJob(job)) }

  func append(_ job: UnownedJob) { jobs.append(job) }

  /// Runs jobs until all tasks wait or have ended.
  @inline(__always)
  func runJobs() {
    while let job = next() { job.runSynchronously(on: asUnownedTaskExecutor()) }
  }

  private func next() -> UnownedJob? {
    if order == .newest { return jobs.popLast() }
    guard oldest < jobs.count else { return nil }
    let job = jobs[oldest]
    oldest += 1
    if oldest == jobs.count {
      jobs.removeAll(keepingCapacity: true)
      oldest = 0
    }
    return job
  }

  /// Runs a task until it has ended.
  ///
  /// - Parameters:
  ///   - body: The task.
  ///   - wake: Called each time the task waits and no other job is left.
  func run(_ body: @escaping @Sendable () async -> Void, wake: () -> Void = {}) {
    let isDone = Slot<Bool>()
    Task(executorPreference: self) {
      await body()
      isDone.content = true
    }
    while true {
      runJobs()
      if isDone.content != nil { return }
      wake()
    }
  }
}

/// A value that a row's task leaves for the code that wakes it.
final class Slot<Content: Sendable>: Sendable {
  nonisolated(unsafe) var content: Content?

  func take() -> Content? {
    defer { content = nil }
    return content
  }
}
