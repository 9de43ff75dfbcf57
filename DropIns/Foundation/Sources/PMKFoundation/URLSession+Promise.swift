public import Foundation
public import PromiseKit

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

extension URLSession {
  /// Starts a data task for a request or a URL, and returns a promise for the data and the response.
  ///
  /// A response of any status fulfils the promise. `validate()` rejects a response whose status is not 2xx.
  public func dataTask(
    _: PMKNamespacer, with convertible: any URLRequestConvertible
  ) -> Promise<(data: Data, response: URLResponse)> {
    let request = convertible.pmkRequest
    return startTask(output: { ($0, $1) }, make: { self.dataTask(with: request, completionHandler: $0) })
  }

  /// Starts a task that uploads data as the body of a request, and returns a promise for the data and the response of
  /// the server.
  ///
  /// A response of any status fulfils the promise.
  public func uploadTask(
    _: PMKNamespacer, with convertible: any URLRequestConvertible, from bodyData: Data
  ) -> Promise<(data: Data, response: URLResponse)> {
    let request = convertible.pmkRequest
    return startTask(
      output: { ($0, $1) }, make: { self.uploadTask(with: request, from: bodyData, completionHandler: $0) })
  }

  /// Starts a task that uploads a file as the body of a request, and returns a promise for the data and the response of
  /// the server.
  ///
  /// A response of any status fulfils the promise.
  public func uploadTask(
    _: PMKNamespacer, with convertible: any URLRequestConvertible, fromFile file: URL
  ) -> Promise<(data: Data, response: URLResponse)> {
    let request = convertible.pmkRequest
    return startTask(
      output: { ($0, $1) }, make: { self.uploadTask(with: request, fromFile: file, completionHandler: $0) })
  }

  /// Starts a download task, and returns a promise that is fulfilled when the downloaded file has been moved to a
  /// location. If there already is a file at that location, the promise is rejected.
  ///
  /// A response of any status fulfils the promise, and the file contains its body.
  public func downloadTask(
    _: PMKNamespacer, with convertible: any URLRequestConvertible, to saveLocation: URL
  ) -> Promise<(saveLocation: URL, response: URLResponse)> {
    let request = convertible.pmkRequest
    let moved: @Sendable (URL, URLResponse) throws -> (saveLocation: URL, response: URLResponse) = { file, response in
      try FileManager.default.moveItem(at: file, to: saveLocation)
      return (saveLocation, response)
    }
    return startTask(output: moved, make: { self.downloadTask(with: request, completionHandler: $0) })
  }
}
