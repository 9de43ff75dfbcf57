internal import Dispatch
internal import Foundation
internal import Overmorrow
internal import OvermorrowEngine

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// Passes each callback of a session to the transfer of the task.
final class SessionDelegate: NSObject, URLSessionDataDelegate, Sendable {
  private struct Running {
    let exchange: SessionExchange
    let end = TaskEnd()
  }

  let queue = DelegateQueue()
  private let redirection: Redirection
  /// The exchanges of the tasks that have not ended, by the identifiers of the tasks.
  private let running = Guarded<[Int: Running]>([:])
  /// The queue on which tasks are cancelled. The queue is separate because cancelling waits for the session's reader.
  /// The caller of ``abandon(_:)`` must not wait.
  private let cancelling = DispatchQueue(label: "overmorrow.network.cancelling", qos: .utility)

  init(_ redirection: Redirection) { self.redirection = redirection }

  func add(_ exchange: SessionExchange, _ task: URLSessionTask) {
    running.withLock { $0[task.taskIdentifier] = Running(exchange: exchange) }
  }

  /// Cancels a task soon, unless the task ends first. The transfer no longer needs the result of the task.
  func abandon(_ task: URLSessionTask) {
    cancelling.async { self.cancel(task) }
  }

  private func cancel(_ task: URLSessionTask) {
    find(task)?.end.markEnded { task.cancel() }
    take(task)
  }

  /// Removes a task that has ended or was cancelled. Returns its exchange; `nil` if the task was already removed.
  @discardableResult
  private func take(_ task: URLSessionTask) -> SessionExchange? {
    let taken = running.withLock { $0.removeValue(forKey: task.taskIdentifier) }
    taken?.end.markEnded()
    return taken?.exchange
  }

  private func find(_ task: URLSessionTask) -> Running? { running.withLock { $0[task.taskIdentifier] } }

  /// Returns the exchange of a task; `nil` if the task has ended or another task has taken its place.
  private func exchange(of task: URLSessionTask) -> SessionExchange? {
    find(task).flatMap { $0.exchange.task === task ? $0.exchange : nil }
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    let exchange = exchange(of: dataTask)
    #if canImport(FoundationNetworking)
      if let exchange, let problem = (response as? HTTPURLResponse)?.problem {
        // Cancels at once, because the task must end before the rest of the response arrives.
        queue.withoutBlockingReader { cancel(dataTask) }
        return exchange.transfer.complete(exchange, problem)
      }
    #endif
    let isWanted = exchange.map { $0.transfer.receive(response, to: dataTask.currentRequest, of: $0) } ?? false
    queue.withoutBlockingReader { completionHandler(isWanted ? .allow : .cancel) }
    if exchange != nil, !isWanted { abandon(dataTask) }
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    guard let exchange = exchange(of: dataTask) else { return }
    if !exchange.transfer.receive(data, of: exchange) { abandon(dataTask) }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    guard let exchange = exchange(of: task), let end = find(task)?.end else { return }
    var next: URLRequest?
    switch redirection.next(request, after: response, of: task, exchange.order) {
    case .follow(let request): next = request
    case .sendAgain(let request): if exchange.sendAgain(request) { return abandon(task) }
    case .stop: break
    }
    queue.withoutBlockingReader {
      end.ifNotEnded { [next] in if exchange.transfer.isCurrent(exchange) { completionHandler(next) } }
    }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask,
    needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
  ) {
    let exchange = exchange(of: task)
    let stream = exchange?.order.makeStream()
    completionHandler(stream)
    #if canImport(FoundationNetworking)
      if let exchange, stream == nil { replaceLostConnection(of: task, exchange) }
    #endif
  }

  #if canImport(FoundationNetworking)
    /// Handles the case that the server closed a kept connection when a request arrived through the connection. This
    /// function is called only if the body of the request is in memory or in a stream of the caller.
    ///
    /// The library below Foundation sends the request again, but Foundation cannot provide the body again. Without this
    /// function, the task would wait until its time limit.
    private func replaceLostConnection(of task: URLSessionTask, _ exchange: SessionExchange) {
      abandon(task)
      let method = HTTPMethod(rawValue: exchange.order.request.httpMethod ?? "GET")
      if HTTPMethod.idempotent.contains(method), !exchange.order.isBodyOnce, exchange.sendAgain() { return }
      exchange.transfer.complete(exchange, URLError(.networkConnectionLost))
    }
  #endif

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
    totalBytesExpectedToSend: Int64
  ) {
    if let exchange = exchange(of: task) { exchange.transfer.sent(totalBytesSent, by: exchange) }
  }

  #if canImport(FoundationNetworking)
    /// Handles a response that asks for credentials. Foundation calls this function after the whole body has arrived.
    ///
    /// If Foundation has no credential to send, the response is the result. Without this function, and after default
    /// handling of such a challenge, the task would not end.
    func urlSession(
      _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
      completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
      if challenge.proposedCredential != nil {
        return queue.withoutBlockingReader { completionHandler(.performDefaultHandling, nil) }
      }
      let exchange = exchange(of: task)
      abandon(task)
      if let exchange { exchange.transfer.complete(exchange, nil) }
    }
  #endif

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    // Another thread may be cancelling the task, and may wait for the reader. `take(_:)` then waits for that thread.
    guard let exchange = queue.withoutBlockingReader({ take(task) }), exchange.task === task else { return }
    #if canImport(FoundationNetworking)
      // Foundation on Linux does not pass on a redirection without a usable `Location`, and drops its body.
      if error == nil, let response = task.response {
        exchange.transfer.receiveMissing(response, of: exchange)
      }
    #endif
    exchange.transfer.complete(exchange, error)
  }
}
