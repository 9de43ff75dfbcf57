internal import Overmorrow

#if canImport(FoundationNetworking)
  internal import Foundation
  public import FoundationNetworking
#else
  public import Foundation
#endif

/// A handle on one request, to suspend, resume and cancel it, through all of its attempts.
///
/// ```swift
/// let task = NetworkTask()
/// let report = session.download("https://example.org/report.pdf", to: file, task: task)
/// task.suspend()
/// ```
///
/// A task belongs to one request; one that is suspended before it is given to its request holds back its start.
/// **It may be used from any thread.**
public final class NetworkTask: Sendable {
  private struct State {
    var isSuspended = false
    var isCancelled = false
    /// The task of the attempt that is on its way.
    var current: URLSessionTask?
    var promise: PromiseCancellable?
  }

  private let state = Guarded(State())
  let bridge = ProgressBridge()

  /// A task for a request to come.
  public init() {}

  /// Stops the request where it is, and keeps it. The server may lose patience.
  ///
  /// Foundation on Linux gives the connection up, and sends the request anew when it is resumed; so suspend there only
  /// what may be sent twice. The response is whole all the same, and progress does not go back.
  public func suspend() { setSuspended(true) }

  /// Lets the request go on.
  public func resume() { setSuspended(false) }

  /// Asks the promise of the request to cancel, whoever else observes it.
  public func cancel() {
    let promise = state.withLock { state in
      state.isCancelled = true
      return state.promise
    }
    promise?.requestCancel()
  }

  /// Whether the request is suspended.
  public var isSuspended: Bool { state.withLock { $0.isSuspended } }

  /// Foundation's task for the attempt that is on its way; `nil` between attempts and when there is nothing left to do.
  public var urlSessionTask: URLSessionTask? { state.withLock { $0.current } }

  /// The promise of the request, which this task can ask to cancel, and need not keep.
  func follow<Value, Failure>(_ promise: Promise<Value, Failure>) {
    let isCancelled = state.withLock { state in
      state.promise = promise.cancellable
      return state.isCancelled
    }
    if isCancelled { promise.requestCancel() }
  }

  /// An attempt begins, unless this task is suspended: then once it is resumed.
  func begin(_ task: URLSessionTask) {
    state.withLock { state in
      state.current = task
      if !state.isSuspended { task.resume() }
    }
  }

  /// An attempt is over.
  func end(_ task: URLSessionTask) {
    state.withLock { state in
      if state.current === task { state.current = nil }
    }
  }

  /// Foundation's task is told under the lock, so that the last change is also the last that it hears of.
  private func setSuspended(_ isSuspended: Bool) {
    state.withLock { state in
      guard state.isSuspended != isSuspended else { return }
      state.isSuspended = isSuspended
      if isSuspended { state.current?.suspend() } else { state.current?.resume() }
    }
  }
}
