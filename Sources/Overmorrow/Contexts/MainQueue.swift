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

  /// Whether a queue is the main queue.
  static func isMain(_ queue: DispatchQueue) -> Bool { Submission.isMain(queue) }

  #if !canImport(Darwin)
    /// The same where each `DispatchQueue.main` is a new object for the same queue, and nothing is known of the object.
    static func hasMark(_ queue: DispatchQueue) -> Bool { queue.getSpecific(key: key) == true }
  #endif
}
