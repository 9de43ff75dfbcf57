package import Overmorrow

/// An unresolved promise whose producer counts the requests to cancel it receives. The test decides when to drop the
/// handle.
package final class CancelProbe<Value: Sendable, Failure: Sendable>: Sendable {
  package let resolver: Promise<Value, Failure>.Resolver
  private let requests = Counter()
  private let handle: Holder<Promise<Value, Failure>>

  /// - Parameter complying: Whether the producer cancels the promise on the first request.
  package init(complying: Bool = false) {
    let (promise, resolver) = Promise<Value, Failure>.makeWithResolver()
    handle = Holder(promise)
    self.resolver = resolver
    // The handler does not count as a resolver: as with an ordinary producer, the promise is cancelled when the last
    // copy of `resolver` is released.
    resolver.onRequestCancel(on: .immediate) { [requests] resolver in
      requests.increment()
      if complying { resolver.cancel() }
    }
  }

  /// The number of requests to cancel that the producer has received.
  package var requestCount: Int { requests.count }

  /// The promise. Traps if the test has dropped it.
  package var promise: Promise<Value, Failure> {
    guard let promise = handle.value else { preconditionFailure("the probe has already dropped its promise") }
    return promise
  }

  /// Drops the probe's handle. If it is the last one, the promise is sealed.
  package func drop() { handle.value = nil }

  /// Returns the promise and drops the probe's handle.
  package func take() -> Promise<Value, Failure> {
    guard let promise = handle.take() else { preconditionFailure("the probe has already dropped its promise") }
    return promise
  }
}

package typealias IntProbe = CancelProbe<Int, ProbeError>

extension CancelProbe {
  /// Passes unresolved promises to a closure that then has the only handles to them.
  package static func feed<R>(_ count: Int, to body: ([Promise<Value, Failure>]) -> R) -> (R, [CancelProbe]) {
    let probes = (0..<count).map { _ in CancelProbe() }
    return (body(probes.map { $0.take() }), probes)
  }

  /// Passes an unresolved promise to a closure that then has the only handle to it.
  package static func feed<R>(to body: (Promise<Value, Failure>) -> R) -> (R, CancelProbe) {
    let probe = CancelProbe()
    return (body(probe.take()), probe)
  }

  /// Makes another child with a vote.
  package func makeSibling() -> AnyChild { AnyChild(promise.makeChild()) }
}

/// A promise of any type, for tests that only check whether it is resolved or cancelled.
package struct AnyChild: Sendable {
  package let requestCancel: @Sendable () -> Void
  private let resolved: @Sendable () -> Bool?

  package init<Value, Failure>(_ promise: Promise<Value, Failure>) {
    requestCancel = { promise.requestCancel() }
    resolved = { promise.result.map(\.isCancelled) }
  }

  package var isResolved: Bool { resolved() != nil }
  package var isCancelled: Bool { resolved() == true }
}
