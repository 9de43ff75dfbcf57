package import Dispatch
package import Overmorrow
internal import OvermorrowEngine
package import Testing

/// The time after which a wait fails. Only a few tests run at a time, so no test waits long because of the others.
package let waitLimit = DispatchTimeInterval.seconds(60)

/// A one-time event that a test waits for with a time limit. The failure names the event.
package final class Latch: Sendable {
  private struct State {
    var remaining: Int
    var waiters: [CheckedContinuation<Void, Never>] = []

    mutating func takeWaiters() -> [CheckedContinuation<Void, Never>] {
      defer { waiters = [] }
      return waiters
    }
  }

  private let state: Guarded<State>

  /// Creates a latch that opens after the given number of signals.
  package init(_ count: Int = 1) { state = Guarded(State(remaining: count)) }

  package var isOpen: Bool { state.withLock { $0.remaining <= 0 } }

  package func signal() {
    let waiters = state.withLock { state in
      state.remaining -= 1
      return state.remaining <= 0 ? state.takeWaiters() : []
    }
    for waiter in waiters { waiter.resume() }
  }

  /// Waits until the latch is open. At the time limit, the test fails with the name of the event.
  package func wait(
    for what: String, within bound: DispatchTimeInterval = waitLimit,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async {
    await withCheckedContinuation { continuation in
      let isOpen = state.withLock { state in
        if state.remaining > 0 { state.waiters.append(continuation) }
        return state.remaining <= 0
      }
      if isOpen { return continuation.resume() }
      DispatchQueue.global().asyncAfter(deadline: .now() + bound) { [self] in
        for waiter in state.withLock({ $0.takeWaiters() }) { waiter.resume() }
      }
    }
    // Reads under the lock that `signal` has taken, because ThreadSanitizer does not see the order between the code
    // before and after a continuation that is resumed before its task has suspended (Swift 6.3).
    if isOpen { return }
    let pending = "\(PromiseDiagnostics.pending())".split(separator: "\n").prefix(50).joined(separator: "\n")
    Issue.record("timed out after \(bound) waiting for \(what)\n\(pending)", sourceLocation: sourceLocation)
  }
}

extension Promise {
  /// Waits for the result of this promise, with a time limit and without a vote in cancellation.
  package func outcome(
    _ what: String = "the promise to resolve", within bound: DispatchTimeInterval = waitLimit,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async -> PromiseResult<Value, Failure>? {
    let latch = Latch()
    tap(on: .immediate) { _ in latch.signal() }
    await latch.wait(for: what, within: bound, sourceLocation: sourceLocation)
    return result
  }
}

/// Yields to other tasks until a condition holds, for at most a minute. For conditions that nothing signals.
package func until(
  _ what: String, isolation: isolated (any Actor)? = #isolation, sourceLocation: SourceLocation = #_sourceLocation,
  _ condition: () -> Bool
) async {
  let deadline = ContinuousClock.now + .seconds(60)
  while !condition() {
    guard .now < deadline else {
      Issue.record("timed out waiting for \(what)", sourceLocation: sourceLocation)
      return
    }
    await Task.yield()
  }
}
