/// Counts the work that was submitted to queues and actors and has not finished, for tests.
///
/// While counting is off, a hand-over reads only one word. All accesses are relaxed: work that a test waits for is
/// handed over by threads that have learned of the test's clock, and so of the counting, through other synchronisation.
package enum HandOverCount {
  private struct State {
    /// The number of pieces of work that were handed over while counting was on.
    var begun = 0
    /// The current generation. Work belongs to the generation in which it was handed over, and each wait begins a new
    /// one.
    var generation = 0
    /// The number of pieces of each generation that have not ended. No entry is zero.
    var unended: [Int: Int] = [:]
    /// The actions that wait, each for the end of all generations up to its own.
    var waiters: [(generation: Int, action: @Sendable () -> Void)] = []

    /// Takes out the actions whose generations have ended.
    mutating func takeReached() -> [@Sendable () -> Void] {
      let oldest = unended.keys.min() ?? .max
      let reached = waiters.filter { $0.generation < oldest }
      waiters.removeAll { $0.generation < oldest }
      return reached.map(\.action)
    }
  }

  private static let counters = Atomic<UInt>(0)
  private static let state = Guarded(State())

  @inline(__always)
  static var isCounting: Bool { counters.load(ordering: .relaxed) != 0 }

  /// Starts counting. Each call needs a call of `stop`.
  package static func start() { counters.add(1, ordering: .relaxed) }

  package static func stop() { counters.subtract(1, ordering: .relaxed) }

  /// The same work, counted until it has run.
  @inline(never)
  static func counted(_ item: WorkItem) -> WorkItem { WorkItem(counted { item.run() }) }

  /// The same work, counted until it is released, either after it has run or because it was dropped.
  package static func counted(_ work: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
    guard isCounting else { return work }
    let count = Unended()
    return { withExtendedLifetime(count, work) }
  }

  /// Counts a piece of work until this object is released.
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

  /// The number of pieces of work that were handed over.
  package static var begun: Int { state.withLock { $0.begun } }

  /// The number of pieces of work that have not ended.
  package static var unended: Int { state.withLock { $0.unended.values.reduce(0, +) } }

  /// Runs an action when all work that has been handed over so far has ended: inside this call, or where the last piece
  /// ends.
  package static func whenEnded(_ action: @escaping @Sendable () -> Void) {
    let reached = state.withLock { state in
      state.waiters.append((state.generation, action))
      state.generation += 1
      return state.takeReached()
    }
    for action in reached { action() }
  }
}
