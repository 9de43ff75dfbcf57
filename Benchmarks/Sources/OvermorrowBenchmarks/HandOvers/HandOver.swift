import Dispatch
import Synchronization

/// A way to submit work from one thread to another.
struct HandOver: Sendable {
  let name: String
  /// The name of the corresponding facility of the system.
  let raw: String
  /// Prepares `count` hand-overs. The closure returned performs them and waits until all the work has run.
  let prepare: @Sendable (_ count: Int) -> () -> Void

  init(_ name: String, beside raw: String = "", run: @escaping @Sendable (_ count: Int) -> Void) {
    self = .prepared(name, beside: raw) { count in { run(count) } }
  }

  private init(name: String, raw: String, prepare: @escaping @Sendable (_ count: Int) -> () -> Void) {
    self.name = name
    self.raw = raw
    self.prepare = prepare
  }

  /// Returns a hand-over with a preparation.
  static func prepared(
    _ name: String, beside raw: String, _ prepare: @escaping @Sendable (_ count: Int) -> () -> Void
  ) -> HandOver {
    HandOver(name: name, raw: raw, prepare: prepare)
  }
}

/// Counts the work that has run, and signals when all of it has.
final class Tally: Sendable {
  private let left: Atomic<Int>
  private let isDone = DispatchSemaphore(value: 0)

  init(_ count: Int) { left = Atomic(count) }

  func count() {
    if left.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 { isDone.signal() }
  }

  func wait() { isDone.wait() }
}
