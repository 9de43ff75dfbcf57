internal import Overmorrow
internal import OvermorrowEngine
public import OvermorrowFlow

#if canImport(FoundationNetworking)
  internal import Foundation
  public import FoundationNetworking
#else
  public import Foundation
#endif

/// Suspends, resumes and cancels one request, and reports the progress of the request over all attempts.
///
/// ```swift
/// let task = NetworkTask()
/// let report = session.download(address, to: file, task: task)
/// task.bytes.onProgress(on: .main) { step in show(step.fraction) }
/// task.suspend()
/// task.resume()
/// ```
///
/// A task can be used for one request. A second request with the same task is rejected with `NetworkError.taskReused`,
/// and the diagnostics report the mistake. If the task is suspended before it is passed to a request, the request
/// starts when the task is resumed. **A task may be used from any thread.**
public final class NetworkTask: Sendable {
  let control: RequestControl
  let bridge = ProgressBridge()

  /// The number of bytes that have been received or, for an upload, sent.
  ///
  /// The number does not decrease when a new attempt begins. The total of a response is unknown until the server has
  /// announced the length of the body. If the body of a later attempt is larger or has an unknown length, the total
  /// changes. The progress ends when the promise of the request is resolved, and is complete if the promise is
  /// fulfilled.
  public let bytes = PromiseProgress()

  private let current = Guarded<(any Exchange)?>(nil)

  /// Creates a task for one request.
  ///
  /// - Parameter pause: A pause whose suspension also suspends the request. The task does not retain the pause.
  public init(pause: PromisePause? = nil) { control = RequestControl(within: pause) }

  /// Suspends the request. The current attempt stops, and no further attempt begins.
  ///
  /// The request continues when this task or its ``progress`` is resumed, or when both are released.
  ///
  /// On Apple's systems, the connection stays open, but the server may close it. On Linux, or if the session has an
  /// ``HTTPTransport``, the request cannot keep its connection. Suspending then closes the connection, and resuming
  /// sends the request again. Suspend such a request only if it may be sent twice. The response that the promise
  /// receives is complete nevertheless, and the progress does not decrease.
  public func suspend() { control.pause.suspend() }

  /// Resumes the request. If the pause that the task was created with is suspended, the request stays suspended until
  /// that pause is resumed.
  public func resume() { control.pause.resume() }

  /// Requests the cancellation of the request's promise, even if other code observes the promise.
  public func cancel() { control.cancel() }

  /// Whether the request is suspended, by this task or by its pause.
  public var isSuspended: Bool { control.pause.isSuspended }

  /// Foundation's task for the current attempt.
  ///
  /// This property is `nil` between attempts and after the last attempt. If the session has an ``HTTPTransport``, the
  /// property is always `nil`. On Linux, the property is also `nil` while the request is suspended. After an attempt
  /// has begun, was resumed or was sent again, the property is `nil` on Linux until the new task has been created.
  public var urlSessionTask: URLSessionTask? { (current.withLock { $0 } as? SessionExchange)?.task }

  /// Records the exchange that an attempt begins.
  func begin(_ exchange: any Exchange) { replace({ _ in true }, by: exchange) }

  /// Records that an exchange has ended, if it is the current exchange.
  func end(_ exchange: any Exchange) { replace({ $0 === exchange }, by: nil) }

  /// Records that an attempt has ended. The next attempt may begin later.
  func end() { replace({ _ in true }, by: nil) }

  /// Replaces the current exchange if the exchange satisfies a condition. The old exchange is released after unlocking.
  private func replace(_ isOld: @Sendable ((any Exchange)?) -> Bool, by new: (any Exchange)?) {
    _ = current.withLock { current in
      defer { if isOld(current) { current = new } }
      return current
    }
  }
}
