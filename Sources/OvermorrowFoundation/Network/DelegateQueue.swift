internal import Foundation

/// The queue on which a session calls its delegate, one call at a time.
///
/// Foundation on Linux reads from its connections as fast as data arrives, and queues a call for each piece. If the
/// network is faster than the disk, the queued calls would fill the memory. Therefore the session's reader, which adds
/// the calls, waits while many calls are queued. The connection then slows its server down. No user code runs on this
/// queue, so each call is short. Code that may itself wait for the reader runs in ``withoutBlockingReader(_:)``. While
/// this function runs, the reader does not wait. No other code may use this function: if a server sends without
/// interruption, a reader that does not wait does nothing but read, and adds calls without a limit.
///
/// Sendable because `OperationQueue` may be used from any thread, and the properties added to it are used under a lock.
final class DelegateQueue: OperationQueue, @unchecked Sendable {
  #if canImport(FoundationNetworking)
    /// The maximum number of queued calls, each with at most 16 KiB of data.
    private static let maxQueued = 256
    /// The longest time in seconds that the reader waits for one call. The limit prevents a deadlock if Foundation
    /// itself waits for the reader inside a call.
    private static let maxWait: TimeInterval = 1

    /// Guards `count` and `waiting`, and signals the reader to check them again.
    private let condition = NSCondition()
    private var count = 0
    /// The number of calls that may be waiting for the reader.
    private var waiting = 0

    override func addOperation(_ block: @escaping @Sendable () -> Void) {
      condition.lock()
      let limit = Date(timeIntervalSinceNow: DelegateQueue.maxWait)
      while count >= DelegateQueue.maxQueued, waiting == 0, condition.wait(until: limit) {}
      count += 1
      condition.unlock()
      super.addOperation { [self] in
        block()
        condition.lock()
        count -= 1
        condition.signal()
        condition.unlock()
      }
    }

    /// Runs code that may wait for the session's reader. The reader does not wait meanwhile.
    func withoutBlockingReader<Result>(_ body: () -> Result) -> Result {
      condition.lock()
      waiting += 1
      condition.broadcast()
      condition.unlock()
      defer {
        condition.lock()
        waiting -= 1
        condition.unlock()
      }
      return body()
    }
  #else
    func withoutBlockingReader<Result>(_ body: () -> Result) -> Result { body() }
  #endif

  override init() {
    super.init()
    name = "overmorrow.network"
    maxConcurrentOperationCount = 1
  }
}
