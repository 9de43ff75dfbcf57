internal import OvermorrowEngine

/// An executor for work that a timer starts.
///
/// The actual executor is user code, so a call of the actual executor may block, or may run the work before the call
/// returns. A `TimersExecutor` therefore calls the actual executor on a global queue and not on the timers' queue. Work
/// for one executor is submitted serially, in the order of arrival. Different executors do not wait for each other.
final class TimersExecutor: PromiseExecutor {
  typealias Work = @Sendable () -> Void

  /// The work that waits for each executor.
  private static let waiting = Batches<Work>()

  private let executor: any PromiseExecutor

  init(_ executor: any PromiseExecutor) { self.executor = executor }

  func enqueue(_ work: @escaping Work) {
    let id = ObjectIdentifier(executor)
    guard Self.waiting.append(work, for: id) else { return }
    Place.userInteractive.enqueue { [executor] in
      while let batch = Self.waiting.take(for: id) {
        for work in batch { executor.enqueue(work) }
      }
    }
  }
}

extension PromiseContext {
  /// The context to use in place of this context for work that comes from the timers' queue. An executor that accepts
  /// work before the work is due is not wrapped, because timers do not call such an executor.
  var forTimerWork: PromiseContext {
    if case .executor(let executor) = self, !reserves { .executor(TimersExecutor(executor)) } else { self }
  }
}
