internal import Overmorrow

/// Work that can be suspended, resumed and cancelled.
public protocol Asyncable {
  /// Stops the work for a while.
  func suspend()

  /// Goes on with the work.
  func resume()

  /// Ends the work.
  func cancel()
}

/// For the third parameter of a closure that resolves a promise, which is `nil` until the closure sets it.
extension Optional where Wrapped == any Asyncable {
  /// Stops the work for a while, if there is some.
  public func suspend() { self?.suspend() }

  /// Goes on with the work, if there is some.
  public func resume() { self?.resume() }

  /// Ends the work, if there is some.
  public func cancel() { self?.cancel() }
}

/// What a promise stands for: suspended, resumed and cancelled with it.
struct Tasks: PromiseSuspendable, @unchecked Sendable {
  // Sendable: told by one thread at a time, as `PromiseSuspendable` promises; and an `Asyncable` can be cancelled at
  // any time.
  private let tasks: [any Asyncable]
  /// The chain whose step waits for them.
  private let chain: Chain

  init(_ tasks: [any Asyncable], in chain: Chain) {
    self.tasks = tasks
    self.chain = chain
  }

  /// Puts them under the control of their chain until a promise has resolved, which the resolver is of.
  func attach<T>(until promise: Overmorrow.Promise<T, any Error>, _ resolver: Overmorrow.Promise<T, any Error>.Resolver)
  {
    resolver.onRequestCancelWhileKept { _ in cancel() }
    chain.pause.attach(self, until: promise)
  }

  func suspend() { for task in tasks { task.suspend() } }

  func resume() { for task in tasks { task.resume() } }

  private func cancel() {
    // A chain that is dropped while it is suspended leaves other chains as they are.
    for task in tasks where !(chain.pause.isDropped && task is any ChainMember) { task.cancel() }
  }
}
