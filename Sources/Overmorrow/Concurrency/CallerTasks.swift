internal import OvermorrowDiagnostics
public import OvermorrowEngine

/// An object that creates tasks with the task-local values of the code that has created the object.
///
/// A task copies the task-local values of the code that creates the task. Swift has no other way to copy all task-local
/// values, and no way to ask whether there are any. So this object creates a first task at once. The first task creates
/// all other tasks later, on demand. It reads them from a stream, because a queue and a continuation are not cheaper.
@usableFromInline
package final class CallerTasks: Sendable {
  private let starts: AsyncStream<@Sendable () -> Void>.Continuation

  @usableFromInline
  package init() {
    let (stream, starts) = AsyncStream<@Sendable () -> Void>.makeStream()
    self.starts = starts
    Task { for await start in stream { start() } }
  }

  deinit { starts.finish() }

  /// Creates a promise for the result of an async closure. If the promise is asked to cancel before its task is
  /// created, the task is not created, and the promise is cancelled.
  @usableFromInline
  package func promise<Value, Failure: Error>(
    priority: TaskPriority, at site: CallSite, _ operation: @escaping @Sendable () async throws(Failure) -> Value
  ) -> Promise<Value, Failure> {
    let (promise, resolver) = Promise<Value, Failure>.makeForLibrary(at: site, by: .task)
    // The start is counted like work of a queue. So a test that waits for counted work also waits for the start.
    let start = HandOverCount.counted {
      if resolver.hasRequestedCancel { return resolver.cancel() }
      let task = Task.counted(priority: priority) {
        resolver.noteTask()
        await resolver.resolve(with: operation)
      }
      resolver.onRequest { _ in task.cancel() }
    }
    starts.yield(start)
    return promise
  }
}
