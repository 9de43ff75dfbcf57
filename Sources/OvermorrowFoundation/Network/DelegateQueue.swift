internal import Foundation

/// The queue on which a session calls its delegate, one call at a time.
///
/// Foundation on Linux reads from its connections as fast as data arrives, and queues a call for each piece. If the
/// network is faster than the disk, the queued calls would fill the memory. Therefore the session's reader, which adds
/// the calls, waits while many are queued, and the connection slows its server down. No user code runs on this queue,
/// so each call is short. A call that may itself wait for the reader is wrapped in ``letRead(_:)``, and the reader does
/// not wait meanwhile. No other call may use it: while a server sends without a pause, the library below Foundation
/// does nothing but read.
///
/// Sendable because `OperationQueue` may be used from any thread, and the properties added to it are used under a lock.
final class DelegateQueue: OperationQueue, @unchecked Sendable {
  #if canImport(FoundationNetworking)
    /// The maximum number of queued calls, each with at most 16 KiB of data.
    private static let longest = 256
    /// The longest time in seconds that the reader waits for one call. The limit prevents a deadlock if Foundation
    /// itself waits for the reader inside a call.
    private static let patience: TimeInterval = 1

    /// Guards `count` and `waiting`, and signals the reader to check them again.
    private let change = NSCondition()
    private var count = 0
    /// The number of calls that may be waiting for the reader.
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

    /// Runs code of a call that may wait for the session's reader. The reader does not wait meanwhile.
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
