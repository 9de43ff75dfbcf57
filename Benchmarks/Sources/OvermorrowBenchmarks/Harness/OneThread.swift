/// Runs the task of a row on the thread that asks for it, and wakes it whenever it waits.
///
/// No other thread has a part in it, so that what it costs repeats.
final class OneThread: TaskExecutor {
  /// Which of the jobs that wait runs next.
  enum Order { case newest, oldest }

  private let order: Order
  // Touched by the one thread only, as is the content of a `Slot`.
  nonisolated(unsafe) private var jobs: [UnownedJob] = []
  nonisolated(unsafe) private var oldest = 0

  init(runs order: Order = .newest) { self.order = order }

  func enqueue(_ job: consuming ExecutorJob) { jobs.append(UnownedJob(job)) }

  /// Runs what is there until all tasks wait, or are over.
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

  /// Runs a task to its end.
  ///
  /// - Parameters:
  ///   - body: The task.
  ///   - wake: Called each time that the task waits and nothing else is left to run.
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

/// What the task of a row leaves for whoever is to wake it.
final class Slot<Content: Sendable>: Sendable {
  nonisolated(unsafe) var content: Content?

  func take() -> Content? {
    defer { content = nil }
    return content
  }
}
