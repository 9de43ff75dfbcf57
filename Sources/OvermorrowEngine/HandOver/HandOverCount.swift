/// The count, for tests, of the unfinished work that has been submitted to queues and actors.
///
/// While counting is off, a hand-over and the creation of a task only read one word of this count. All accesses to the
/// word are relaxed. Relaxed accesses suffice, because a test's clock turns counting on first. The threads that hand
/// over the work that the test waits for receive the clock later, through other synchronisation.
@usableFromInline
package enum HandOverCount {
  private struct State {
    /// The number of pieces of work that were handed over while counting was on.
    var begun = 0
    /// The current generation. Work belongs to the generation in which it was handed over. Each wait begins a new
    /// generation.
    var generation = 0
    /// For each generation, the number of its pieces of work that have not ended. A generation without such work has no
    /// entry.
    var unended: [Int: Int] = [:]
    /// The waiting actions. Each action waits until all work of its own generation and of all earlier generations has
    /// ended.
    var waiters: [(generation: Int, action: @Sendable () -> Void)] = []

    /// Removes and returns the actions that no longer have to wait.
    mutating func takeReached() -> [@Sendable () -> Void] {
      let oldest = unended.keys.min() ?? .max
      let reached = waiters.filter { $0.generation < oldest }
      waiters.removeAll { $0.generation < oldest }
      return reached.map(\.action)
    }
  }

  private static let counters = Atomic<UInt>(0)
  private static let state = Guarded(State())

  @usableFromInline
  @inline(__always)
  package static var isCounting: Bool { counters.load(ordering: .relaxed) != 0 }

  /// Starts counting. Each call must be balanced by a call of `stop`.
  package static func start() { counters.add(1, ordering: .relaxed) }

  package static func stop() { counters.subtract(1, ordering: .relaxed) }

  /// Returns an item that runs `item`. If counting is on, the new item is counted until it has run.
  @inline(never)
  static func counted(_ item: WorkItem) -> WorkItem { WorkItem(counted { item.run() }) }

  /// Returns a closure that does the work. If counting is on, the closure is counted until it is released, either after
  /// it has run or because it was dropped.
  package static func counted(_ work: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
    guard isCounting else { return work }
    let count = Unended()
    return { withExtendedLifetime(count, work) }
  }

  /// A counted piece of work. The piece is counted until this object is released.
  private final class Unended: Sendable {
    private let generation = state.withLock { state in
      state.begun += 1
      state.unended[state.generation, default: 0] += 1
      return state.generation
    }

    deinit {
      let reached = state.withLock { [generation] state in
        let left = (state.unended[generation] ?? 0) - 1
        state.unended[generation] = left == 0 ? nil : left
        return left == 0 ? state.takeReached() : []
      }
      for action in reached { action() }
    }
  }

  /// The number of pieces of work that were handed over while counting was on.
  package static var begun: Int { state.withLock { $0.begun } }

  /// The number of counted pieces of work that have not ended.
  package static var unended: Int { state.withLock { $0.unended.values.reduce(0, +) } }

  /// Runs an action when all work that has been counted so far has ended. If no such work is left, the action runs
  /// inside this call. Otherwise the action runs on the thread on which the last piece of work ends.
  package static func whenEnded(_ action: @escaping @Sendable () -> Void) {
    let reached = state.withLock { state in
      state.waiters.append((state.generation, action))
      state.generation += 1
      return state.takeReached()
    }
    for action in reached { action() }
  }
}
