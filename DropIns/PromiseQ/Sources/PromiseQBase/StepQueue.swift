internal import Dispatch
@_spi(Adapters) internal import Overmorrow
internal import OvermorrowFlow

/// The queues of the steps on global queues.
///
/// A step may block its thread, because it may call ``Promise/await()``. A global queue has as many threads as there
/// are processors, and Dispatch adds about one in a second while they are blocked. For a serial queue, Dispatch has a
/// thread at once, and ends the thread when it is idle. So each step for a global queue has a serial queue of its own.
/// Two steps of a chain do not share one, because a closure keeps its thread after its step was cancelled or has timed
/// out.
enum StepQueue {
  private static let key = DispatchSpecificKey<Bool>()

  /// Whether the calling thread runs a step on such a queue.
  static var isCurrent: Bool { DispatchQueue.getSpecific(key: key) != nil }

  /// Returns the context of a step on a queue of the program.
  static func context(for queue: DispatchQueue) -> PromiseContext {
    let context = PromiseAdapter.context(for: queue)
    let qos: DispatchQoS
    switch context {
    case .background: qos = .background
    case .utility: qos = .utility
    case .default: qos = .default
    case .userInitiated: qos = .userInitiated
    case .userInteractive: qos = .userInteractive
    default: return context
    }
    let steps = DispatchQueue(label: "PromiseQ", qos: qos)
    steps.setSpecific(key: key, value: true)
    return .queue(steps)
  }
}

/// The right of a chain to begin. It lasts until the first closure of the chain has ended.
///
/// Each of these closures may block a thread, and what it waits for needs a thread, too. So of the chains that begin by
/// themselves, only some run their first closure at a time. The others begin one after the other. A chain for which a
/// thread or another chain waits needs no turn.
final class StartTurn: Sendable {
  private let ender: Overmorrow.Promise<Void, Never>.Resolver

  /// Dispatch has at least 255 threads for serial queues. The others are for what the first closures wait for.
  private static let limiter = PromiseLimiter(width: 64)

  private init(_ ender: Overmorrow.Promise<Void, Never>.Resolver) { self.ender = ender }

  deinit { end() }

  func end() { ender.fulfill(with: ()) }

  /// Returns a promise for the next turn. A request to cancel it cancels the promise at once.
  static func next() -> Overmorrow.Promise<StartTurn, Never> {
    let (promise, resolver) = PromiseAdapter.makePromise(of: StartTurn.self, failure: Never.self)
    let job = limiter.run(on: .immediate) { () -> Overmorrow.Promise<Void, Never> in
      let (end, ender) = PromiseAdapter.makePromise(of: Void.self, failure: Never.self)
      resolver.fulfill(with: StartTurn(ender))
      return end
    }
    resolver.onRequestCancel(on: .immediate) { resolver in
      resolver.cancel()
      job.requestCancel()
    }
    return promise
  }
}
