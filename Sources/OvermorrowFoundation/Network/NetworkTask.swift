public import Overmorrow

#if canImport(FoundationNetworking)
  internal import Foundation
  public import FoundationNetworking
#else
  public import Foundation
#endif

/// A handle on one request, to suspend, resume and cancel it, and to see how far it has come, through all of its
/// attempts.
///
/// ```swift
/// let task = NetworkTask()
/// let report = session.download(address, to: file, task: task)
/// task.bytes.onProgress(on: .main) { step in show(step.fraction) }
/// task.suspend()
/// task.resume()
/// ```
///
/// A task is for one request: a second one that is given it is rejected with `NetworkError.taskReused`, and the
/// diagnostics report it. A task that is suspended before it is given to its request holds back its start. **It may be
/// used from any thread.**
public final class NetworkTask: Sendable {
  let control: RequestControl
  let bridge = ProgressBridge()

  /// How many bytes of the request have come or, of an upload, gone.
  ///
  /// It does not go back with a new attempt. The total is known once the server has said it. It is finished when the
  /// promise of the request is resolved, and complete if that is fulfilled.
  public let bytes = PromiseProgress()

  private let current = Guarded<(any Exchange)?>(nil)

  /// A task for a request to come.
  ///
  /// - Parameter pause: While it is suspended, so is the request. It is not kept.
  public init(pause: PromisePause? = nil) { control = RequestControl(within: pause) }

  /// Suspends the request: the attempt on its way stops, and no other one begins.
  ///
  /// It goes on when this task, or its ``progress``, is resumed, or when both are released.
  ///
  /// The connection is kept, but the server may close it. On Linux, where a connection cannot be paused, it is closed,
  /// and the request is sent again when it is resumed; so suspend there only requests that may be sent twice. The
  /// response is still whole, and progress does not go back.
  public func suspend() { control.pause.suspend() }

  /// Lets the request go on, unless the pause that the task was made with is suspended.
  public func resume() { control.pause.resume() }

  /// Asks the promise of the request to cancel, even if other code observes it.
  public func cancel() { control.cancel() }

  /// Whether the request is suspended, by this task or by its pause.
  public var isSuspended: Bool { control.pause.isSuspended }

  /// Foundation's task for the attempt that is on its way; `nil` between attempts and when there is nothing left to do;
  /// on Linux also while the request is suspended; and always if the session has an ``HTTPTransport``.
  public var urlSessionTask: URLSessionTask? { (current.withLock { $0 } as? SessionExchange)?.task }

  /// An attempt begins.
  func begin(_ exchange: any Exchange) { current.withLock { $0 = exchange } }

  /// The exchange's attempt is over.
  func end(_ exchange: any Exchange) {
    current.withLock { current in
      if current === exchange { current = nil }
    }
  }

  /// An attempt is over; the next one begins later.
  func end() { current.withLock { $0 = nil } }
}
