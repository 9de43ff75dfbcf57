internal import Foundation

/// The queue on which a session calls its delegate, one call at a time.
///
/// Foundation on Linux reads from its connections as fast as data comes, and queues a call for each bit of it: a network
/// that is faster than the disk would fill the memory. So there, whoever adds a call, which is the session's reader,
/// has to wait while many are queued, and the connection makes its server wait. But a call may itself be waiting for the
/// reader, as it does to cancel or to begin a task: so nobody waits for a call that takes long.
///
/// Sendable: what it adds to `OperationQueue`, which may be used from any thread, is used under a lock.
final class DelegateQueue: OperationQueue, @unchecked Sendable {
  #if canImport(FoundationNetworking)
    /// How many calls may be queued, of 16 KiB of data at most each.
    private static let longest = 256
    /// How long a call may take until nobody waits for it any more.
    private static let patience: TimeInterval = 0.05

    /// Guards the other two, and tells of calls that have returned.
    private let change = NSCondition()
    private var count = 0
    private var isStuck = false

    override func addOperation(_ block: @escaping @Sendable () -> Void) {
      change.lock()
      while count >= DelegateQueue.longest, !isStuck {
        isStuck = !change.wait(until: Date(timeIntervalSinceNow: DelegateQueue.patience))
      }
      count += 1
      change.unlock()
      super.addOperation { [self] in
        block()
        change.lock()
        count -= 1
        isStuck = false
        change.broadcast()
        change.unlock()
      }
    }
  #endif

  override init() {
    super.init()
    name = "overmorrow.network"
    maxConcurrentOperationCount = 1
  }
}
