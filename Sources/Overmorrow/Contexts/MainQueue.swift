internal import Dispatch

/// Whether the calling code runs on the main queue.
///
/// The queue decides, not the thread, because on Linux `dispatchMain()` and an `async` main serve the main queue on a
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
  // Sendable: the thread that makes this object hands it over at once, and does not use it again.
  private var value: Value?

  @usableFromInline
  init(_ value: consuming Value) { self.value = value }

  /// Releases the value at once if the caller is on the main queue. Otherwise submits its release to the main queue.
  ///
  /// The submitted work empties this object, so it does not matter which thread releases that work last.
  @usableFromInline
  func release() {
    if MainQueue.isCurrent { value = nil } else { DispatchQueue.main.async { self.value = nil } }
  }
}
