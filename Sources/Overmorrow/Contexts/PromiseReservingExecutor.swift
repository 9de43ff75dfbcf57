/// An executor that can accept work before it is due, as an operation queue accepts an operation that is not ready.
///
/// Delays and timeouts are submitted to it when they begin, so that code that inspects the executor sees them and can
/// cancel them.
package protocol PromiseReservingExecutor: PromiseExecutor {
  /// Accepts work now. The executor runs the work some time after the reservation was begun, or drops it.
  func reserve(_ work: @escaping @Sendable () -> Void) -> any PromiseReservation
}

/// Work that an executor has accepted and that is not due yet.
package protocol PromiseReservation: Sendable {
  /// Makes the work due. A second call does nothing.
  func begin()
  /// Drops the work, unless it has begun to run.
  func cancel()
}

extension PromiseContext {
  private var reservingExecutor: (any PromiseReservingExecutor)? {
    if case .executor(let executor) = self { executor as? any PromiseReservingExecutor } else { nil }
  }

  /// Whether work is submitted before it is due.
  var reserves: Bool { reservingExecutor != nil }

  /// Submits work before it is due; `nil` if this context cannot accept it.
  ///
  /// - Returns: A call that makes the work due. If the call is released without having been made, the work is dropped,
  ///   because it could never run.
  func reserve(_ work: @escaping @Sendable () -> Void) -> OneCall? {
    reservingExecutor.map { executor in
      let reservation = executor.reserve(work)
      return OneCall({ reservation.begin() }, ifDropped: { reservation.cancel() })
    }
  }
}
