internal import Dispatch

/// Whether the calling code runs on the main queue.
///
/// Decided by the queue, not by the thread: on Linux, `dispatchMain()` and an `async` main serve the main queue on a
/// thread that is not the main thread.
enum MainQueue {
  private static let key: DispatchSpecificKey<Bool> = {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
  }()

  static var isCurrent: Bool { DispatchQueue.getSpecific(key: key) == true }
}

/// A value to release on the main queue: a callback of that queue that will not run.
@usableFromInline
final class MainBound<Value>: @unchecked Sendable {
  // Sendable: the thread that makes it hands it over at once, and does not use it again.
  private var value: Value?

  @usableFromInline
  init(_ value: consuming Value) { self.value = value }

  /// Releases the value: at once on the main queue, otherwise there and soon.
  ///
  /// The queue's work empties this object, so that it does not matter which thread releases that work last.
  @usableFromInline
  func release() {
    if MainQueue.isCurrent { value = nil } else { DispatchQueue.main.async { self.value = nil } }
  }
}
