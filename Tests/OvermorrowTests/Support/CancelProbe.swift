@testable import Overmorrow

/// How the promises of a cancellation test fail.
enum ProbeError: Error, Hashable {
  case failed
  case other
}

/// An unresolved promise whose producer counts how often it is asked to cancel; the test drops its handle.
final class CancelProbe<Value: Sendable, Failure: Sendable>: Sendable {
  let resolver: Promise<Value, Failure>.Resolver
  private let requests = Counter()
  private let handle: Guarded<Promise<Value, Failure>?>

  /// - Parameter complying: Whether the producer cancels as soon as it is asked to.
  init(complying: Bool = false) {
    let (promise, resolver) = Promise<Value, Failure>.makeWithResolver()
    handle = Guarded(promise)
    self.resolver = resolver
    // It is no way to resolve the promise: as with a producer that has the only resolver, the promise ends with that.
    resolver.onRequestCancelWhileKept { [requests] resolver in
      requests.increment()
      if complying { resolver.cancel() }
    }
  }

  /// How often the producer was asked to cancel.
  var requestCount: Int { requests.count }

  /// The promise; the test must not have dropped it.
  var promise: Promise<Value, Failure> {
    guard let promise = handle.withLock({ $0 }) else { preconditionFailure("the probe has dropped its promise") }
    return promise
  }

  /// Drops the probe's own handle, which seals the promise if there is no other.
  func drop() { _ = takeHandle() }

  /// The promise; the probe keeps no handle on it.
  func take() -> Promise<Value, Failure> {
    guard let promise = takeHandle() else { preconditionFailure("the probe has dropped its promise") }
    return promise
  }

  private func takeHandle() -> Promise<Value, Failure>? {
    handle.withLock { handle in
      defer { handle = nil }
      return handle
    }
  }
}

typealias IntProbe = CancelProbe<Int, ProbeError>
