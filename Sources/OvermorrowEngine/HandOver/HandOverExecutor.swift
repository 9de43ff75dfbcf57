internal import Dispatch

/// An executor, for tests, whose jobs are counted like work that was submitted to a queue. While a test clock exists,
/// this is the preferred executor of the tasks that the library creates. So the clock waits until these tasks have
/// reached their next wait.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
package final class HandOverExecutor: TaskExecutor {
  package static let shared = HandOverExecutor()

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let work = HandOverCount.counted {
      // Unsafe: the runtime passes each job once, and this closure runs once.
      unsafe job.runSynchronously(on: self.asUnownedTaskExecutor())
    }
    DispatchQueue.global().async(execute: work)
  }
}
