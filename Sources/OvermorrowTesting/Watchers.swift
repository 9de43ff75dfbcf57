internal import Overmorrow
internal import OvermorrowDiagnostics
internal import OvermorrowEngine

/// The resolvers of promises. Each promise has a number, and is fulfilled when that number is reached.
struct Watchers: Sendable {
  private var entries: [(number: Int, resolver: Promise<Void, Never>.Resolver)] = []

  /// Adds a watcher, and returns its promise. The checks of a test do not cover this promise.
  mutating func add(_ number: Int) -> Promise<Void, Never> {
    let (promise, resolver) = PromiseScope.outside { Promise<Void, Never>.makeForLibrary(at: .library) }
    entries.append((number, resolver))
    return promise
  }

  /// Removes and returns the watchers whose number satisfies a predicate. The caller must notify these watchers outside
  /// any lock.
  mutating func take(where isReached: (Int) -> Bool) -> Watchers {
    var reached = Watchers()
    reached.entries = entries.filter { isReached($0.number) }
    entries.removeAll { isReached($0.number) }
    return reached
  }

  /// Removes and returns all watchers. The caller must notify these watchers outside any lock.
  mutating func takeAll() -> Watchers {
    defer { entries = [] }
    return self
  }

  func notify() {
    for entry in entries { entry.resolver.fulfill(with: ()) }
  }
}

extension Promise where Value == Void, Failure == Never {
  static var alreadyReached: Promise { PromiseScope.outside { Promise(with: .value(()), site: .library) } }
}

extension Promise {
  /// Waits until this promise is resolved, for at most a bound in real time. The wait has no vote on the cancellation
  /// of the promise.
  ///
  /// - Returns: `true` if the promise is resolved.
  func hasResolved(within bound: Duration) async -> Bool {
    if result != nil { return true }
    await withCheckedContinuation { continuation in
      tap().timeout(on: .immediate, bound).tap(on: .immediate) { _ in continuation.resume() }
    }
    return result != nil
  }
}
