package import Overmorrow

/// An unresolved promise whose producer counts how often it is asked to cancel; the test drops its handle.
package final class CancelProbe<Value: Sendable, Failure: Sendable>: Sendable {
  package let resolver: Promise<Value, Failure>.Resolver
  private let requests = Counter()
  private let handle: Holder<Promise<Value, Failure>>

  /// - Parameter complying: Whether the producer cancels as soon as it is asked to.
  package init(complying: Bool = false) {
    let (promise, resolver) = Promise<Value, Failure>.makeWithResolver()
    handle = Holder(promise)
    self.resolver = resolver
    // It is no way to resolve the promise: as with a producer that has the only resolver, the promise ends with that.
    resolver.onRequestCancelWhileKept { [requests] resolver in
      requests.increment()
      if complying { resolver.cancel() }
    }
  }

  /// How often the producer was asked to cancel.
  package var requestCount: Int { requests.count }

  /// The promise; the test must not have dropped it.
  package var promise: Promise<Value, Failure> {
    guard let promise = handle.value else { preconditionFailure("the probe has dropped its promise") }
    return promise
  }

  /// Drops the probe's own handle, which seals the promise if there is no other.
  package func drop() { handle.value = nil }

  /// The promise; the probe keeps no handle on it.
  package func take() -> Promise<Value, Failure> {
    guard let promise = handle.take() else { preconditionFailure("the probe has dropped its promise") }
    return promise
  }
}

package typealias IntProbe = CancelProbe<Int, ProbeError>

extension CancelProbe {
  /// Hands unresolved promises to a closure, which then has the only handles of them.
  package static func feed<R>(_ count: Int, to body: ([Promise<Value, Failure>]) -> R) -> (R, [CancelProbe]) {
    let probes = (0..<count).map { _ in CancelProbe() }
    return (body(probes.map { $0.take() }), probes)
  }

  /// Hands an unresolved promise to a closure, which then has the only handle of it.
  package static func feed<R>(to body: (Promise<Value, Failure>) -> R) -> (R, CancelProbe) {
    let probe = CancelProbe()
    return (body(probe.take()), probe)
  }

  /// One more child that votes.
  package func makeSibling() -> AnyChild { AnyChild(promise.makeChild()) }
}

/// A promise of which a test only wants to know how it ends.
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
