internal import Overmorrow
internal import OvermorrowEngine

/// The executor of a `ManualContext`. Queued callbacks retain their executor. The executor is a separate object, so
/// that queued callbacks do not retain the `ManualContext`.
final class ManualQueue: PromiseExecutor {
  private struct State {
    var work: [@Sendable () -> Void] = []
    /// The index of the first queued callback, if callbacks run in order. The entries before this index have been taken
    /// and do nothing.
    var head = 0
    var generator: SeededGenerator?
    var runCount = 0
    var isClosed = false
    var arrivals = Watchers()

    var count: Int { work.count - head }

    mutating func takeNext() -> (@Sendable () -> Void)? {
      guard count > 0 else { return nil }
      runCount += 1
      if generator != nil {
        work.swapAt(Int.random(in: work.indices, using: &generator!), work.count - 1)
        return work.removeLast()
      }
      let next = work[head]
      work[head] = {}
      head += 1
      if head > work.count / 2 {
        work.removeFirst(head)
        head = 0
      }
      return next
    }

    mutating func takeAll() -> [@Sendable () -> Void] {
      defer { (work, head) = ([], 0) }
      return work
    }
  }

  private let state: Guarded<State>

  init(generator: SeededGenerator?) { state = Guarded(State(generator: generator)) }

  var count: Int { state.withLock { $0.count } }
  var runCount: Int { state.withLock { $0.runCount } }

  func enqueue(_ work: @escaping @Sendable () -> Void) {
    let reached = state.withLock { state in
      if state.isClosed { return Watchers() }
      state.work.append(work)
      let count = state.count
      return state.arrivals.take { $0 <= count }
    }
    reached.notify()
  }

  func takeNext() -> (@Sendable () -> Void)? { state.withLock { $0.takeNext() } }

  func dropAll() {
    // The callbacks are released after unlocking, because releasing their captures may queue another callback.
    let dropped = state.withLock { $0.takeAll() }
    withExtendedLifetime(dropped) {}
  }

  func close() {
    state.withLock { $0.isClosed = true }
    dropAll()
  }

  /// Returns a promise that is resolved when at least `count` callbacks are queued.
  func arrival(of count: Int) -> Promise<Void, Never> {
    state.withLock { state in
      state.count >= count ? .alreadyReached : state.arrivals.add(count)
    }
  }
}
