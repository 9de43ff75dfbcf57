/// An executor for work that a timer starts.
///
/// It hands the work to the actual executor on a global queue and not on the timers' own, as that executor is user
/// code, which may run the work, or block, inside the call. The work for one executor is handed over in the order of
/// arrival, one after the other; executors do not wait for each other.
final class TimersExecutor: PromiseExecutor {
  typealias Work = @Sendable () -> Void

  /// The work that waits for each executor, which has an entry while a thread hands its work over.
  private static let waiting = Guarded<[ObjectIdentifier: [Work]]>([:])

  private let executor: any PromiseExecutor

  init(_ executor: any PromiseExecutor) { self.executor = executor }

  func enqueue(_ work: @escaping Work) {
    let id = ObjectIdentifier(executor)
    let isFirst = Self.waiting.withLock { waiting in
      defer { waiting[id, default: []].append(work) }
      return waiting[id] == nil
    }
    guard isFirst else { return }
    Place(.userInteractive).enqueue { [executor] in
      while let batch = Self.take(id) {
        for work in batch { executor.enqueue(work) }
      }
    }
  }

  private static func take(_ id: ObjectIdentifier) -> [Work]? {
    waiting.withLock { waiting in
      guard let batch = waiting[id], !batch.isEmpty else {
        waiting[id] = nil
        return nil
      }
      waiting[id] = []
      return batch
    }
  }
}

extension PromiseContext {
  /// This context, for work that comes from the timers' own queue. An executor that takes work before its time is not
  /// called then.
  var handedOverByTimers: PromiseContext {
    if case .executor(let executor) = self, !reserves { .executor(TimersExecutor(executor)) } else { self }
  }
}
