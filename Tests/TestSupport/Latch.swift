package import Dispatch
package import Overmorrow
package import Testing

/// How long a test waits before it gives up. Only a few tests run at a time, so none waits for long because of others.
package let patience = DispatchTimeInterval.seconds(60)

/// Something that a test waits for, with a bound, saying what it was.
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

  /// Opens after so many signals.
  package init(_ count: Int = 1) { state = Guarded(State(remaining: count)) }

  package var isOpen: Bool { state.withLock { $0.remaining <= 0 } }

  package func signal() {
    let waiters = state.withLock { state in
      state.remaining -= 1
      return state.remaining <= 0 ? state.takeWaiters() : []
    }
    for waiter in waiters { waiter.resume() }
  }

  /// Waits until the latch is open; after the bound the test fails and says what it waited for.
  package func wait(
    for what: String, within bound: DispatchTimeInterval = patience,
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
    // Under the lock, which `signal` has taken: ThreadSanitizer does not see the order of what comes before and after a
    // continuation that is resumed before its task has suspended (Swift 6.3).
    if isOpen { return }
    let pending = "\(PromiseDiagnostics.pending())".split(separator: "\n").prefix(50).joined(separator: "\n")
    Issue.record("waited \(bound) in vain for \(what)\n\(pending)", sourceLocation: sourceLocation)
  }
}

extension Promise {
  /// The result of this promise, waited for with a bound. The wait takes no part in cancellation.
  package func outcome(
    _ what: String = "the promise to resolve", within bound: DispatchTimeInterval = patience,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async -> PromiseResult<Value, Failure>? {
    let latch = Latch()
    tap(on: .immediate) { _ in latch.signal() }
    await latch.wait(for: what, within: bound, sourceLocation: sourceLocation)
    return result
  }
}

/// Lets other tasks go on until something has happened without a report; waits with a bound.
package func until(
  _ what: String, isolation: isolated (any Actor)? = #isolation, sourceLocation: SourceLocation = #_sourceLocation,
  _ condition: () -> Bool
) async {
  let deadline = ContinuousClock.now + .seconds(60)
  while !condition() {
    guard .now < deadline else {
      Issue.record("no sign of \(what)", sourceLocation: sourceLocation)
      return
    }
    await Task.yield()
  }
}
