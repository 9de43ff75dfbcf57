internal import Foundation
internal import Overmorrow

/// The queue on which a session calls its delegate, one call at a time.
///
/// Foundation on Linux reads from its connections as fast as data comes, and queues a call for each bit of it: a network
/// that is faster than the disk would fill the memory. So there, whoever adds a call, which is the session's reader,
/// has to wait while many are queued, and the connection makes its server wait. Not for ever: a delegate may itself be
/// waiting for the reader, as it does to cancel a task.
///
/// Sendable: what it adds to `OperationQueue`, which may be used from any thread, is constant and safe by itself.
final class DelegateQueue: OperationQueue, @unchecked Sendable {
  #if canImport(FoundationNetworking)
    /// How many calls may be queued, of 16 KiB of data at most each.
    private static let longest = 256
    private static let patience = DispatchTimeInterval.milliseconds(20)

    private let room = DispatchSemaphore(value: longest)

    override func addOperation(_ block: @escaping @Sendable () -> Void) {
      let hasRoom = room.wait(timeout: .now() + DelegateQueue.patience) == .success
      super.addOperation { [room] in
        block()
        if hasRoom { room.signal() }
      }
    }
  #endif

  override init() {
    super.init()
    name = "overmorrow.network"
    maxConcurrentOperationCount = 1
  }
}
