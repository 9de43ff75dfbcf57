public import Foundation
public import Overmorrow

extension PromiseContext {
  /// An operation queue. Each callback is an operation of its own on it.
  ///
  /// An operation that is cancelled before it runs, or that is released unrun with its queue, cancels the promise of
  /// its callback. Delays and timeouts are on the queue from the start, as operations that become ready when their time
  /// has come. Two such contexts are equal when they name the same queue.
  ///
  /// - Parameter queue: Where callbacks run. One that is concurrent may run callbacks of one promise side by side, but
  ///   never a step of a chain before the one in front of it has ended.
  public static func operationQueue(_ queue: OperationQueue) -> PromiseContext { .executor(queue) }
}

extension OperationQueue: PromiseExecutor {
  /// Adds an operation that runs the work: how callbacks of promises come to a queue.
  ///
  /// - Parameter work: What to run. Dropped when the operation is cancelled before it runs.
  public func enqueue(_ work: @escaping @Sendable () -> Void) {
    // A test clock does not wait for a queue that has been stopped.
    addOperation(CallbackOperation(isSuspended ? work : HandOverCount.counted(work)))
  }
}

extension OperationQueue: PromiseReservingExecutor {
  package func reserve(_ work: @escaping @Sendable () -> Void) -> any PromiseReservation {
    let operation = CallbackOperation(work, isDue: false)
    addOperation(operation)
    return operation
  }
}
