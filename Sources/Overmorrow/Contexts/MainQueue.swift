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

/// A callback of the main queue that will not run, and must be released on that queue.
@usableFromInline
final class MainBound<Value>: @unchecked Sendable {
  // Sendable: the thread that makes it hands it over at once, and does not use it again.
  private var value: Value?

  @usableFromInline
  init(_ value: consuming Value) { self.value = value }

  /// Releases the value: at once if the caller is on the main queue, and otherwise on the main queue, soon.
  ///
  /// The submitted work empties this object, so it does not matter which thread releases that work last.
  @usableFromInline
  func release() {
    if MainQueue.isCurrent { value = nil } else { DispatchQueue.main.async { self.value = nil } }
  }
}
