@_spi(Adapters) internal import Overmorrow
@_spi(Adapters) internal import OvermorrowFlow

/// Work that can be suspended, resumed and cancelled.
public protocol Asyncable {
  /// Suspends the work.
  func suspend()

  /// Resumes the work.
  func resume()

  /// Cancels the work.
  func cancel()
}

/// Forwards each call to the work, if there is any. A closure that resolves a promise has a third parameter of this
/// type. The parameter is `nil` until the closure sets it.
extension Optional where Wrapped == any Asyncable {
  /// Suspends the work, if there is any.
  public func suspend() { self?.suspend() }

  /// Resumes the work, if there is any.
  public func resume() { self?.resume() }

  /// Cancels the work, if there is any.
  public func cancel() { self?.cancel() }
}

/// The tasks that together are the work of a promise. They are suspended, resumed and cancelled with the promise.
struct Tasks: PromiseSuspendable, @unchecked Sendable {
  // Sendable because `suspend()` and `resume()` of a `PromiseSuspendable` are called by one thread at a time, and an
  // `Asyncable` can be cancelled at any time.
  private let tasks: [any Asyncable]
  /// The chain whose step waits for the tasks.
  private let chain: Chain

  init(_ tasks: [any Asyncable], in chain: Chain) {
    self.tasks = tasks
    self.chain = chain
  }

  /// Puts the tasks under the control of their chain until `promise` is resolved. A request to cancel the promise of
  /// `resolver` cancels the tasks.
  ///
  /// - Parameter isKept: Whether the chain retains the resolver, so that the promise stays unresolved until the request
  ///   or until the last promise of the chain is released.
  func attach<T>(
    until promise: Overmorrow.Promise<T, any Error>, _ resolver: Overmorrow.Promise<T, any Error>.Resolver,
    keepingResolver isKept: Bool = false
  ) {
    resolver.onRequestCancel(on: .immediate) { resolver in
      cancel()
      // The result of a step that was asked to cancel is not used.
      if isKept { resolver.cancel() }
    }
    chain.pause.attach(self, keeping: isKept ? resolver : nil, until: promise)
  }

  func suspend() { for task in tasks { task.suspend() } }

  func resume() { for task in tasks { task.resume() } }

  private func cancel() {
    // If the chain is suspended and its last promise has been released, tasks that are promises of other chains are not
    // cancelled.
    for task in tasks where !(chain.pause.isDropped && task is any ChainMember) { task.cancel() }
  }
}
