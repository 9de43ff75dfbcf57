public import Foundation
internal import OvermorrowFoundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// Sends a request to an address, and promises the response.
///
/// Suspending, resuming and cancelling the promise does it to the request. Any status is a response. An address that is
/// no URL rejects with the text "Bad URL", and one of another protocol with "Not HTTP".
///
/// - Parameters:
///   - path: Where the resource is.
///   - method: What to do with it.
///   - headers: Header fields.
///   - body: What to send along.
///   - retry: How often to try again after an error.
public func fetch(
  _ path: String, method: HTTPMethod = .GET, headers: [String: String]? = nil, body: Data? = nil, retry: Int = 0
) -> Promise<HTTPResponse> {
  URLSession.shared.fetch(path, method: method, headers: headers, body: body, retry: retry)
}

extension URLSession {
  /// Sends a request, and promises the response.
  ///
  /// Suspending, resuming and cancelling the promise does it to the request. Any status is a response; an answer that
  /// is not HTTP rejects with the text "Not HTTP".
  ///
  /// - Parameters:
  ///   - request: What to send.
  ///   - retry: How often to try again after an error.
  public func fetch(_ request: URLRequest, retry: Int = 0) -> Promise<HTTPResponse> {
    if self === URLSession.shared {
      return Promise(retry: retry) { task, _ in NetworkSession.shared.fetch(request, task: task) }
    }
    #if canImport(FoundationNetworking)
      // Here the tasks of a session do not survive being suspended, or being cancelled when they end.
      let session = NetworkSession(configuration: configuration)
      return Promise(retry: retry) { task, _ in session.fetch(request, task: task) }
    #else
      return Promise(retry: retry) { resolve, reject, task in
        let (resolve, reject) = (Kept(resolve), Kept(reject))
        let work = self.dataTask(with: request) { data, response, error in
          if let response = response as? HTTPURLResponse, error == nil {
            resolve.value(HTTPResponse(OvermorrowFoundation.HTTPResponse(response, data: data ?? Data())))
          } else {
            reject.value(error ?? "Not HTTP")
          }
        }
        task = work
        work.resume()
      }
    #endif
  }

  /// Sends a request to a URL, and promises the response.
  ///
  /// Suspending, resuming and cancelling the promise does it to the request. Any status is a response.
  ///
  /// - Parameters:
  ///   - url: Where the resource is.
  ///   - method: What to do with it.
  ///   - headers: Header fields.
  ///   - body: What to send along.
  ///   - retry: How often to try again after an error.
  public func fetch(
    _ url: URL, method: HTTPMethod = .GET, headers: [String: String]? = nil, body: Data? = nil, retry: Int = 0
  ) -> Promise<HTTPResponse> {
    fetch(url.absoluteString, method: method, headers: headers, body: body, retry: retry)
  }

  /// Sends a request to an address, and promises the response.
  ///
  /// Suspending, resuming and cancelling the promise does it to the request. Any status is a response.
  ///
  /// - Parameters:
  ///   - path: Where the resource is.
  ///   - method: What to do with it.
  ///   - headers: Header fields.
  ///   - body: What to send along.
  ///   - retry: How often to try again after an error.
  public func fetch(
    _ path: String, method: HTTPMethod = .GET, headers: [String: String]? = nil, body: Data? = nil, retry: Int = 0
  ) -> Promise<HTTPResponse> {
    send(to: path, method, headers, body) { self.fetch($0, retry: retry) }
  }
}
