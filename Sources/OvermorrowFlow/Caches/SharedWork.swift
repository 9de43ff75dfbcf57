internal import Overmorrow
internal import OvermorrowEngine

/// Async work whose promises other tasks may wait for, such as the load of a key of a cache.
///
/// A task-local value contains the work to which the current code belongs. So the work can record the promises that its
/// own tasks request from other work. If the recorded requests form a cycle, none of the requested promises in the
/// cycle can resolve.
final class SharedWork: Sendable {
  /// The work to which the current code belongs.
  @TaskLocal static var current: SharedWork?

  /// A promise that the work has requested from other work.
  private struct Request: Sendable {
    let work: SharedWork
    let promise: WeakPromise

    var isOpen: Bool { promise.mayBeAwaited }
  }

  private let requests = Guarded(SweptList<Request>())

  /// Records that the current code requests a promise of this work.
  ///
  /// - Returns: `false` if the promise would wait for itself, because this work waits, directly or through other work,
  ///   for the work to which the current code belongs.
  func admits<Value, Failure>(_ promise: Promise<Value, Failure>) -> Bool {
    guard let current = Self.current else { return true }
    let request = Request(work: self, promise: WeakPromise(promise))
    // The request is recorded before the search for a cycle. So if two tasks request promises of each other's work, at
    // least one task finds the request of the other task.
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

  /// Records that the work has ended and waits for no other work.
  func release() { _ = requests.withLock { $0.takeAll() } }
}
