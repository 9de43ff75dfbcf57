internal import Foundation

/// The queue on which a session calls its delegate, one call at a time.
///
/// Foundation on Linux reads from its connections as fast as data comes, and queues a call for each bit of it: a
/// network that is faster than the disk would fill the memory. So the session's reader, which adds the calls, has to
/// wait while many are queued, and the connection makes its server wait. No user code runs on this queue, so each call
/// is short. A call that may have to wait for the reader itself says so meanwhile, and then the reader does not wait.
/// No other call may say so: as long as a server sends without a pause, the library below Foundation does nothing but
/// read.
///
/// Sendable: what it adds to `OperationQueue`, which may be used from any thread, is used under a lock.
final class DelegateQueue: OperationQueue, @unchecked Sendable {
  #if canImport(FoundationNetworking)
    /// How many calls may be queued, of 16 KiB of data at most each.
    private static let longest = 256
    /// How long the reader waits for one call at most, in seconds: if Foundation waits for the reader in a call, the
    /// reader then continues.
    private static let patience: TimeInterval = 1

    /// Guards the other two, and signals when the reader may check again.
    private let change = NSCondition()
    private var count = 0
    /// How many calls may be waiting for the reader.
    private var waiting = 0

    override func addOperation(_ block: @escaping @Sendable () -> Void) {
      change.lock()
      let limit = Date(timeIntervalSinceNow: DelegateQueue.patience)
      while count >= DelegateQueue.longest, waiting == 0, change.wait(until: limit) {}
      count += 1
      change.unlock()
      super.addOperation { [self] in
        block()
        change.lock()
        count -= 1
        change.signal()
        change.unlock()
      }
    }

    /// Runs code of a call that may wait for the session's reader.
    func letRead<Result>(_ body: () -> Result) -> Result {
      change.lock()
      waiting += 1
      change.broadcast()
      change.unlock()
      defer {
        change.lock()
        waiting -= 1
        change.unlock()
      }
      return body()
    }
  #else
    func letRead<Result>(_ body: () -> Result) -> Result { body() }
  #endif

  override init() {
    super.init()
    name = "overmorrow.network"
    maxConcurrentOperationCount = 1
  }
}
