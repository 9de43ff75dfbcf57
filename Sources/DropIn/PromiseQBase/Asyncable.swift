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

/// What a promise stands for, as its producer.
struct Tasks: PromiseSuspendable, @unchecked Sendable {
  // Sendable: told by one thread at a time, as `PromiseSuspendable` promises.
  private let tasks: [any Asyncable]
  /// The chain whose step waits for them.
  private let chain: Chain

  init(_ tasks: [any Asyncable], in chain: Chain) {
    self.tasks = tasks
    self.chain = chain
  }

  func suspend() { for task in tasks { task.suspend() } }

  func resume() { for task in tasks { task.resume() } }

  func cancel() {
    // A chain that is dropped while it is suspended leaves other chains as they are.
    for task in tasks where !(chain.control.isAbandoned && task is any ChainMember) { task.cancel() }
  }
}
