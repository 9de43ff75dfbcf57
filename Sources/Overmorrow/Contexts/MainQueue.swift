internal import Dispatch

/// Whether the code that asks runs on the main queue.
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
