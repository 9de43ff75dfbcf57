internal import Foundation
internal import Overmorrow
internal import PromiseKit

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// Starts a session task and returns a promise for its output.
///
/// A request to cancel ends the promise and cancels the task. A response that arrives later is dropped.
///
/// - Parameters:
///   - output: Makes the value of the promise from the content and the response. An error that the closure throws
///     rejects the promise.
///   - make: Makes the task with the completion handler that the closure receives.
func startTask<Content, Output: Sendable>(
  output: @escaping @Sendable (Content, URLResponse) throws -> Output,
  make: (@escaping @Sendable (Content?, URLResponse?, (any Error)?) -> Void) -> URLSessionTask
) -> PromiseKit.Promise<Output> {
  let (promise, resolver) = Overmorrow.Promise<Output, any Error>.makeWithResolver()
  let end = TaskEnd()
  let task = make { content, response, error in
    guard end.markEnded() else { return }
    guard error == nil, let content, let response else {
      return resolver.reject(with: error ?? PMKError.invalidCallingConvention)
    }
    do { resolver.fulfill(with: try output(content, response)) } catch { resolver.reject(with: error) }
  }
  resolver.onRequestCancel(on: .immediate) { resolver in
    end.markEnded { task.cancel() }
    resolver.cancel()
  }
  task.resume()
  return Promise(promise)
}

/// The end of a task: its completion or the first request to cancel it, whichever happens first.
///
/// Sendable because the flag is accessed only under the lock.
private final class TaskEnd: @unchecked Sendable {
  private let lock = NSLock()
  private var hasEnded = false

  /// Records the end of the task, and returns `true` if no end was recorded before. In that case a closure is called
  /// first. The task cannot complete during that call, because Foundation on Linux could crash if it did.
  @discardableResult
  func markEnded(afterCalling cancel: () -> Void = {}) -> Bool {
    lock.withLock {
      if hasEnded { return false }
      cancel()
      hasEnded = true
      return true
    }
  }
}
