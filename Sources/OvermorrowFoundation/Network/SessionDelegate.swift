internal import Dispatch
internal import Foundation
internal import Overmorrow

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// Hands what a session tells to the transfer that it is about.
final class SessionDelegate: NSObject, URLSessionDataDelegate, Sendable {
  private let transfers = Guarded<[Int: Transfer]>([:])

  func add(_ transfer: Transfer, for task: URLSessionTask) {
    transfers.withLock { $0[task.taskIdentifier] = transfer }
  }

  func remove(_ task: URLSessionTask) {
    let transfer = transfers.withLock { $0.removeValue(forKey: task.taskIdentifier) }
    withExtendedLifetime(transfer) {}
  }

  private func transfer(of task: URLSessionTask) -> Transfer? { transfers.withLock { $0[task.taskIdentifier] } }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    let isWanted = transfer(of: dataTask)?.receive(response, of: dataTask) ?? false
    completionHandler(isWanted ? .allow : .cancel)
    if !isWanted { end(dataTask) }
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    guard let transfer = transfer(of: dataTask) else { return }
    if !transfer.receive(data, of: dataTask) { end(dataTask) }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    let next = redirected(request, of: task)
    transfer(of: task)?.redirect(task) { completionHandler(next) }
  }

  /// The request that a redirection leads to; `nil` if it is not followed.
  private func redirected(_ request: URLRequest, of task: URLSessionTask) -> URLRequest? {
    #if canImport(FoundationNetworking)
      // Foundation on Linux takes the fields along, but never the body: nobody may take an empty one for it.
      if request.httpMethod == task.originalRequest?.httpMethod {
        return transfer(of: task)?.order.hasBody == true ? nil : request
      }
      var request = request
      request.bodyLength = nil
      return request
    #else
      return request
    #endif
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
    let transfer = transfers.withLock { $0.removeValue(forKey: task.taskIdentifier) }
    transfer?.complete(task, error)
  }

  private func end(_ task: URLSessionTask) {
    // Elsewhere: it waits for the session's reader, which may wait for this call.
    DispatchQueue.global().async {
      self.transfer(of: task)?.giveUp(task)
      self.remove(task)
    }
  }
}
