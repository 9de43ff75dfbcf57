internal import Dispatch
internal import Foundation
internal import Overmorrow

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// Passes each callback of a session to the transfer that it belongs to.
final class SessionDelegate: NSObject, URLSessionDataDelegate, Sendable {
  let queue = DelegateQueue()
  private let redirection: Redirection
  /// The exchanges that have not ended, by the identifiers of their tasks.
  private let running = Guarded<[Int: SessionExchange]>([:])
  /// The queue on which tasks are cancelled. It is separate because cancelling waits for the session's reader, and the
  /// caller of ``abandon(_:)`` must not wait.
  private let cancelling = DispatchQueue(label: "overmorrow.network.cancelling", qos: .utility)

  init(_ redirection: Redirection) { self.redirection = redirection }

  func add(_ exchange: SessionExchange, _ task: URLSessionTask) {
    running.withLock { $0[task.taskIdentifier] = exchange }
  }

  /// Cancels a task soon, unless it ends first. Its transfer no longer needs the result.
  func abandon(_ task: URLSessionTask) {
    cancelling.async {
      self.find(task)?.end.markEnded { task.cancel() }
      self.take(task)
    }
  }

  /// Removes a task that has ended, and returns its exchange.
  @discardableResult
  func take(_ task: URLSessionTask) -> SessionExchange? {
    let taken = running.withLock { $0.removeValue(forKey: task.taskIdentifier) }
    taken?.end.markEnded()
    return taken
  }

  private func find(_ task: URLSessionTask) -> SessionExchange? { running.withLock { $0[task.taskIdentifier] } }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    let exchange = find(dataTask)
    let isWanted = exchange.map { $0.transfer.receive(response, to: dataTask.currentRequest, of: $0) } ?? false
    queue.withoutBlockingReader { completionHandler(isWanted ? .allow : .cancel) }
    if exchange != nil, !isWanted { abandon(dataTask) }
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    guard let exchange = find(dataTask) else { return }
    if !exchange.transfer.receive(data, of: exchange) { abandon(dataTask) }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    guard let running = find(task) else { return }
    let next = redirection.next(request, of: task, hasBody: running.transfer.order.hasBody)
    queue.withoutBlockingReader {
      running.end.ifNotEnded { if running.transfer.isCurrent(running) { completionHandler(next) } }
    }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask,
    needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
  ) {
    completionHandler(find(task)?.transfer.order.makeStream())
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
    totalBytesExpectedToSend: Int64
  ) {
    if let exchange = find(task) { exchange.transfer.sent(totalBytesSent, by: exchange) }
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    // Another thread may be cancelling the task.
    guard let exchange = queue.withoutBlockingReader({ take(task) }) else { return }
    exchange.transfer.complete(exchange, error, at: task.currentRequest?.url)
  }
}
