public import Foundation
public import Overmorrow
internal import OvermorrowEngine
internal import OvermorrowFlow

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

extension NetworkSession {
  /// Sends a request and returns a promise for the response with its body in a file, for any status.
  ///
  /// Behaves like ``download(_:to:method:headers:body:retry:task:onProgress:fileID:line:)`` with one attempt. However,
  /// the body of a response whose status does not mean success is also written to the destination.
  @_spi(Adapters)
  public func download(
    _ request: URLRequest, withAnyStatusTo destination: URL, task: NetworkTask, onProgress: NetworkProgressHandler?
  ) -> Promise<HTTPResponse, any Error> {
    send(retry: PromiseRetryPolicy(attempts: 1), task: task, onProgress, at: CallSite(#fileID, #line)) {
      TransferOrder(request: request, destination: destination, takesAnyStatus: true)
    }
  }
}
