internal import Overmorrow

/// Runs each piece of work on a thread of its own, and returns only when it has run and is gone.
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

  /// Whether the code that asks runs in a piece of work, or is run by the end of one.
  package var isCurrent: Bool { thread.value == currentThread }
}

/// Drops all work at once.
package final class DroppingExecutor: PromiseExecutor {
  package init() {}

  package func enqueue(_ work: @escaping @Sendable () -> Void) {}
}

/// Runs each piece of work so many times, at once, after something of its own.
package final class RepeatingExecutor: PromiseExecutor {
  private let times: Int
  private let act: @Sendable () -> Void

  package init(times: Int, before act: @escaping @Sendable () -> Void = {}) { (self.times, self.act) = (times, act) }

  package func enqueue(_ work: @escaping @Sendable () -> Void) {
    act()
    for _ in 0..<times { work() }
  }
}
