internal import Overmorrow

/// Promises that wait until a number is reached.
struct Watchers: Sendable {
  private var entries: [(number: Int, resolver: Promise<Void, Never>.Resolver)] = []

  /// Adds one; its promise belongs to no test's checks.
  mutating func add(_ number: Int) -> Promise<Void, Never> {
    let (promise, resolver) = PromiseScope.outside { Promise<Void, Never>.makeForLibrary() }
    entries.append((number, resolver))
    return promise
  }

  /// Takes out those whose number satisfies a predicate. The caller notifies them outside of any lock.
  mutating func take(where isReached: (Int) -> Bool) -> Watchers {
    var reached = Watchers()
    reached.entries = entries.filter { isReached($0.number) }
    entries.removeAll { isReached($0.number) }
    return reached
  }

  func notify() {
    for entry in entries { entry.resolver.fulfill(with: ()) }
  }
}

extension Promise where Value == Void, Failure == Never {
  static var alreadyThere: Promise { PromiseScope.outside { Promise(fulfilled: ()) } }
}

extension Promise {
  /// Waits until this promise has resolved, with a bound in real time; the wait takes no part in cancellation.
  ///
  /// - Returns: Whether it has.
  func hasResolved(within bound: Duration) async -> Bool {
    if result != nil { return true }
    await withCheckedContinuation { continuation in
      tap().timeout(on: .immediate, bound).tap(on: .immediate) { _ in continuation.resume() }
    }
    return result != nil
  }
}
