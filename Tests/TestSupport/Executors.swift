internal import Overmorrow

/// Runs each piece of work on a new thread, and returns when the work has run and has been released.
package final class ElsewhereExecutor: PromiseExecutor {
  private let thread = Holder<ObjectIdentifier>()

  package init() {}

  package func enqueue(_ work: @escaping @Sendable () -> Void) {
    let handedOver = Holder(work)
    onThread { [thread] in
      thread.value = currentThread
      do {
        let work = handedOver.take()
        work?()
      }
      thread.value = nil
    }
  }

  /// Whether the caller runs inside a piece of work, or is called because one is released.
  package var isCurrent: Bool { thread.value == currentThread }
}

/// Drops all work immediately.
package final class DroppingExecutor: PromiseExecutor {
  package init() {}

  package func enqueue(_ work: @escaping @Sendable () -> Void) {}
}

/// Runs an action, then runs each piece of work immediately, the given number of times.
package final class RepeatingExecutor: PromiseExecutor {
  private let times: Int
  private let act: @Sendable () -> Void

  package init(times: Int, before act: @escaping @Sendable () -> Void = {}) { (self.times, self.act) = (times, act) }

  package func enqueue(_ work: @escaping @Sendable () -> Void) {
    act()
    for _ in 0..<times { work() }
  }
}
