/// Runs the jobs of tasks on the thread that calls `run()`, in the order in which they become ready.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
package final class SteppedExecutor: TaskExecutor {
  private let jobs = Recorder<UnownedJob>()

  package init() {}

  package func enqueue(_ job: consuming ExecutorJob) { jobs.record(UnownedJob(job)) }

  /// Runs jobs until all tasks wait or have ended. The caller retains this executor until then.
  package func run() {
    while true {
      let ready = jobs.takeAll()
      if ready.isEmpty { return }
      // Unsafe: each job was enqueued once, and runs once.
      for job in ready { unsafe job.runSynchronously(on: asUnownedTaskExecutor()) }
    }
  }
}
