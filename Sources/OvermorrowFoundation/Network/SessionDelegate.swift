internal import Dispatch
internal import Foundation
internal import Overmorrow

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// Hands what a session tells to the transfer that it is about.
final class SessionDelegate: NSObject, URLSessionDataDelegate, Sendable {
  /// A task that has not ended.
  private struct Running: Sendable {
    let transfer: Transfer
    let end = TaskEnd()
  }

  let queue = DelegateQueue()
  private let redirection: Redirection
  private let running = Guarded<[Int: Running]>([:])
  /// Where tasks are cancelled. That waits for the session's reader, which nobody else has to.
  private let cancelling = DispatchQueue(label: "overmorrow.network.cancelling", qos: .utility)

  init(_ redirection: Redirection) { self.redirection = redirection }

  func add(_ transfer: Transfer, for task: URLSessionTask) {
    running.withLock { $0[task.taskIdentifier] = Running(transfer: transfer) }
  }

  /// Cancels a task soon, unless it ends before. Its transfer does not want it any more.
  func giveUp(_ task: URLSessionTask) {
    cancelling.async {
      self.find(task)?.end.reach { task.cancel() }
      self.take(task)
    }
  }

  /// Forgets a task that has ended, or never began.
  @discardableResult
  func take(_ task: URLSessionTask) -> Transfer? {
    let taken = running.withLock { $0.removeValue(forKey: task.taskIdentifier) }
    taken?.end.reach()
    return taken?.transfer
  }

  private func find(_ task: URLSessionTask) -> Running? { running.withLock { $0[task.taskIdentifier] } }

  private func transfer(of task: URLSessionTask) -> Transfer? { find(task)?.transfer }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    let isWanted = transfer(of: dataTask)?.receive(response, of: dataTask) ?? false
    queue.letRead { completionHandler(isWanted ? .allow : .cancel) }
    if !isWanted { giveUp(dataTask) }
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    guard let transfer = transfer(of: dataTask) else { return }
    if !transfer.receive(data, of: dataTask) { giveUp(dataTask) }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    guard let running = find(task) else { return }
    let next = redirection.next(request, of: task, hasBody: running.transfer.order.hasBody)
    queue.letRead {
      running.end.unlessReached { if running.transfer.isOn(task) { completionHandler(next) } }
    }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask,
    needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
  ) {
    completionHandler(transfer(of: task)?.order.makeStream())
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
    totalBytesExpectedToSend: Int64
  ) {
    transfer(of: task)?.sent(totalBytesSent, by: task)
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    // It may be being cancelled.
    queue.letRead { take(task) }?.complete(task, error)
  }
}
