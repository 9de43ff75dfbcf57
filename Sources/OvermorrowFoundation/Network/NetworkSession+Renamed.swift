public import Overmorrow

#if canImport(FoundationNetworking)
  internal import Foundation
  public import FoundationNetworking
#else
  public import Foundation
#endif

// A name from before version 1.0. The compiler suggests the present one.

extension NetworkSession {
  /// The former name of ``upload(_:to:method:headers:retry:task:onProgress:fileID:line:)`` with a request.
  @available(*, unavailable, renamed: "upload(_:to:retry:task:onProgress:)")
  public func upload(
    _ source: UploadSource, with request: URLRequest,
    retry policy: PromiseRetryPolicy<any Error> = PromiseRetryPolicy(attempts: 1), task: NetworkTask = NetworkTask(),
    onProgress: NetworkProgressHandler? = nil
  ) -> Promise<HTTPResponse, any Error> {
    upload(source, to: request, retry: policy, task: task, onProgress: onProgress)
  }
}
