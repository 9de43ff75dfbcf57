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
    /// So much has come that it has to be dealt with first.
    var isFull = false
    var isCancelled = false
    /// The task of the attempt that is on its way.
    var current: URLSessionTask?
    var promise: PromiseCancellable?

    var mayRun: Bool { !isSuspended && !isFull }
  }

  private let state = Guarded(State())
  let bridge = ProgressBridge()

  /// A task for a request to come.
  public init() {}

  /// Stops the request where it is, and keeps it. The server may lose patience.
  public func suspend() { change { $0.isSuspended = true } }

  /// Lets the request go on.
  public func resume() { change { $0.isSuspended = false } }

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

  /// Holds the request, or lets it go on, by itself.
  ///
  /// - Returns: Whether that is a change.
  func setFull(_ isFull: Bool) -> Bool {
    var isChange = false
    change { state in
      isChange = state.isFull != isFull
      state.isFull = isFull
    }
    return isChange
  }

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
      state.isFull = false
      if state.mayRun { task.resume() }
    }
  }

  /// An attempt is over.
  func end(_ task: URLSessionTask) {
    state.withLock { state in
      if state.current === task { state.current = nil }
    }
  }

  /// Foundation's task is told under the lock, so that the last change is also the last that it hears of.
  private func change(_ body: (inout State) -> Void) {
    state.withLock { state in
      let before = state.mayRun
      body(&state)
      switch (before, state.mayRun) {
      case (true, false): state.current?.suspend()
      case (false, true): state.current?.resume()
      default: break
      }
    }
  }
}
