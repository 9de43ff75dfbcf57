/// Async work whose promises other tasks may wait for, such as the load of a key of a cache.
///
/// A task-local value tells code on behalf of which work it runs. So the work knows the promises of other work that its
/// own tasks have requested. If these lead back to the work, none of them could resolve.
final class SharedWork: Sendable {
  /// The work on behalf of which this code runs.
  @TaskLocal static var current: SharedWork?

  /// A promise that the work has requested from other work.
  private struct Request: Sendable {
    let work: SharedWork
    let promise: WeakCore

    /// Whether something may still wait for the promise, because it is unresolved, and held or observed.
    var isOpen: Bool { promise.read { !$0.state.isResolved && !$0.votesNow.isUnreachable } ?? false }
  }

  private let requests = Guarded(SweptList<Request>())

  /// Records that this code requests a promise of this work.
  ///
  /// - Returns: `false` if this work waits for the work on behalf of which this code runs, directly or through other
  ///   work, so that the promise would wait for itself.
  func admits<Value, Failure>(_ promise: Promise<Value, Failure>) -> Bool {
    guard let current = Self.current else { return true }
    let request = Request(work: self, promise: WeakCore(promise.handle.core, isExposed: false))
    // Recorded before the search: if two tasks request promises of each other's work, one of them finds the other's.
    let swept = current.requests.withLock { $0.append(request) { !$0.isOpen } }
    return withExtendedLifetime(swept) { !waits(for: current) }
  }

  private func waits(for other: SharedWork) -> Bool {
    var (open, seen) = ([self], Set([ObjectIdentifier(self)]))
    while let work = open.popLast() {
      if work === other { return true }
      for request in work.requests.withLock({ $0.elements }) where request.isOpen {
        if seen.insert(ObjectIdentifier(request.work)).inserted { open.append(request.work) }
      }
    }
    return false
  }

  /// The work has ended, and waits for nothing.
  func end() { _ = requests.withLock { $0.takeAll() } }
}
