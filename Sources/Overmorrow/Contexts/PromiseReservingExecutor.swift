/// An executor that can take work before its time has come, as an operation queue takes an operation that is not ready.
///
/// It has delays and timeouts from the start, so that code that inspects the executor sees them, and may cancel them.
package protocol PromiseReservingExecutor: PromiseExecutor {
  /// Takes work now, to run it some time after it was begun, or to drop it.
  func reserve(_ work: @escaping @Sendable () -> Void) -> any PromiseReservation
}

/// Work that an executor has taken, and that waits for its time.
package protocol PromiseReservation: Sendable {
  /// The time has come. A second call does nothing.
  func begin()
  /// The work is dropped, unless it has begun to run.
  func cancel()
}

extension PromiseContext {
  private var reservingExecutor: (any PromiseReservingExecutor)? {
    if case .executor(let executor) = self { executor as? any PromiseReservingExecutor } else { nil }
  }

  /// Whether work is to be handed over before its time.
  var reserves: Bool { reservingExecutor != nil }

  /// Hands work over before its time; `nil` where that cannot be done.
  ///
  /// - Returns: What begins the work; when it is dropped, so is the work, as it could not be begun any more.
  func reserve(_ work: @escaping @Sendable () -> Void) -> OneCall? {
    reservingExecutor.map { executor in
      let reservation = executor.reserve(work)
      return OneCall({ reservation.begin() }, ifDropped: { reservation.cancel() })
    }
  }
}
