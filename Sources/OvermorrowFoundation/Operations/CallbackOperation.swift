internal import Foundation
@_spi(Handles) internal import Overmorrow
internal import OvermorrowEngine

/// An operation that runs a callback of a promise. An operation that was reserved for a later time is ready after
/// ``begin()``. Any other operation is ready at once.
///
/// Sendable because `Operation` may be used from any thread, and the added state is behind a lock.
final class CallbackOperation: Operation, @unchecked Sendable {
  private struct State {
    /// The callback. The callback is removed when the operation runs or is cancelled, so that a retained operation does
    /// not retain the callback.
    var work: (@Sendable () -> Void)?
    var isDue: Bool
  }

  private let state: Guarded<State>

  init(_ work: @escaping @Sendable () -> Void, isDue: Bool = true) {
    state = Guarded(State(work: work, isDue: isDue))
    super.init()
  }

  /// Whether the operation is ready. A cancelled operation is ready, so that it leaves its queue.
  override var isReady: Bool { super.isReady && (isCancelled || state.withLock { $0.isDue }) }

  override func main() { takeWork()?() }

  /// Drops the callback if the callback has not begun. The promise of the callback is then cancelled at once, even if
  /// the queue is suspended.
  override func cancel() {
    super.cancel()
    becomeDue()
    withExtendedLifetime(takeWork()) {}
  }

  private func takeWork() -> (@Sendable () -> Void)? { state.withLock { $0.work.take() } }

  // Uses the key that Foundation documents, because a key path would name the Objective-C property, "ready", on Apple's
  // platforms.
  private func becomeDue() {
    guard state.withLock({ !$0.isDue }) else { return }
    willChangeValue(forKey: "isReady")
    state.withLock { $0.isDue = true }
    didChangeValue(forKey: "isReady")
  }
}

extension CallbackOperation: PromiseReservation {
  func begin() { becomeDue() }
}
