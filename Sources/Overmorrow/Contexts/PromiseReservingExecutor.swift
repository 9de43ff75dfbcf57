internal import OvermorrowEngine

/// An executor that can accept work before the work is due. For example, an operation queue accepts an operation that
/// is not ready.
///
/// Delays and timeouts are submitted to the executor when they begin. Code that inspects the executor can therefore see
/// and cancel the delays and timeouts.
@_spi(Handles)
public protocol PromiseReservingExecutor: PromiseExecutor {
  /// Accepts work now. The executor runs the work some time after `begin()` of the reservation is called, or drops the
  /// work.
  func reserve(_ work: @escaping @Sendable () -> Void) -> any PromiseReservation
}

/// Work that an executor has accepted before the work is due.
@_spi(Handles)
public protocol PromiseReservation: Sendable {
  /// Makes the work due. A second call does nothing.
  func begin()
  /// Drops the work. If the work has begun to run, does nothing.
  func cancel()
}

extension PromiseContext {
  private var reservingExecutor: (any PromiseReservingExecutor)? {
    if case .executor(let executor) = self { executor as? any PromiseReservingExecutor } else { nil }
  }

  /// Whether this context accepts work before the work is due.
  var reserves: Bool { reservingExecutor != nil }

  /// Submits work before the work is due. If this context cannot accept such work, returns `nil`.
  ///
  /// - Returns: A call that makes the work due. If the call is released without having been made, the work is dropped,
  ///   because the work could never become due.
  func reserve(_ work: @escaping @Sendable () -> Void) -> OneCall? {
    reservingExecutor.map { executor in
      let reservation = executor.reserve(work)
      return OneCall({ reservation.begin() }, ifDropped: { reservation.cancel() })
    }
  }
}
