internal import Foundation
internal import Overmorrow

/// A callback of a promise as an operation, ready at once or when its time has come.
///
/// Sendable: what it adds to `Operation`, which may be used from any thread, is behind a lock.
final class CallbackOperation: Operation, @unchecked Sendable {
  private struct State {
    /// Taken out when the operation runs or is cancelled, so that an operation that is kept does not keep it.
    var work: (@Sendable () -> Void)?
    var isDue: Bool
  }

  private let state: Guarded<State>

  init(_ work: @escaping @Sendable () -> Void, isDue: Bool = true) {
    state = Guarded(State(work: work, isDue: isDue))
    super.init()
  }

  /// A cancelled operation is ready, so that it leaves its queue.
  override var isReady: Bool { super.isReady && (isCancelled || state.withLock { $0.isDue }) }

  override func main() { takeWork()?() }

  /// Drops the work if it has not begun. What depends on it is cancelled now, even if the queue is suspended.
  override func cancel() {
    super.cancel()
    becomeDue()
    withExtendedLifetime(takeWork()) {}
  }

  private func takeWork() -> (@Sendable () -> Void)? { state.withLock { $0.work.take() } }

  // By the key that Foundation documents: a key path would name the Objective-C property, "ready", on Apple's
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
