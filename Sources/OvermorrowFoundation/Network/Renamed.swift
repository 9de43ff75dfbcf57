public import Foundation
public import Overmorrow

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

// Names from before version 1.0. The compiler suggests the present names.

extension NetworkSession {
  /// The former name of ``upload(_:to:method:headers:retry:task:onProgress:fileID:line:)`` with a `URLRequest`.
  @available(*, unavailable, renamed: "upload(_:to:retry:task:onProgress:)")
  public func upload(
    _ source: UploadSource, with request: URLRequest,
    retry policy: PromiseRetryPolicy<any Error> = PromiseRetryPolicy(attempts: 1), task: NetworkTask = NetworkTask(),
    onProgress: NetworkProgressHandler? = nil
  ) -> Promise<HTTPResponse, any Error> {
    upload(source, to: request, retry: policy, task: task, onProgress: onProgress)
  }
}

extension HTTPResponse {
  /// The former name of ``init(status:headers:body:url:)``.
  @available(*, unavailable, renamed: "init(status:headers:body:url:)")
  public init(status: Int, headers: [String: String] = [:], data: Data, url: URL? = nil) {
    self.init(status: status, headers: headers, body: data, url: url)
  }
}
