public import Foundation
@_spi(Handles) public import Overmorrow
internal import OvermorrowEngine

extension PromiseContext {
  /// Returns a context that runs callbacks on an operation queue. Each callback is one operation of the queue.
  ///
  /// If an operation is cancelled, or released with its queue, before it has run, the promise of its callback is
  /// cancelled. Delays and timeouts add their operations to the queue at once. Such an operation becomes ready when the
  /// delay or the timeout ends. Two contexts with the same operation queue are equal.
  ///
  /// - Parameter queue: The queue that runs the callbacks. A concurrent queue may run several callbacks of one promise
  ///   at the same time, but never runs a step before the previous step of its chain has ended.
  public static func operationQueue(_ queue: OperationQueue) -> PromiseContext { .executor(queue) }
}

extension OperationQueue: PromiseExecutor {
  /// Adds an operation that runs the work. Promises submit their callbacks through this method.
  ///
  /// - Parameter work: The work to run. If the operation is cancelled before it runs, the work is dropped.
  public func enqueue(_ work: @escaping @Sendable () -> Void) {
    // The work of a suspended queue is not counted, so that a `TestClock` does not wait for the work.
    addOperation(CallbackOperation(isSuspended ? work : HandOverCount.counted(work)))
  }
}

@_spi(Handles)
extension OperationQueue: PromiseReservingExecutor {
  /// Adds an operation for work that is not due. The operation is not ready before the reservation begins.
  public func reserve(_ work: @escaping @Sendable () -> Void) -> any PromiseReservation {
    let operation = CallbackOperation(work, isDue: false)
    addOperation(operation)
    return operation
  }
}
