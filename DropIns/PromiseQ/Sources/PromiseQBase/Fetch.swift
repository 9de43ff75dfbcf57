public import Foundation
internal import OvermorrowFoundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// Sends a request to an address and returns a promise for the response.
///
/// Suspending, resuming or cancelling the promise suspends, resumes or cancels the request. A response with any status
/// fulfils the promise. An address that is not a URL rejects the promise with the text "Bad URL", and an address whose
/// scheme is neither HTTP nor HTTPS rejects the promise with "Not HTTP".
///
/// - Parameters:
///   - path: The address of the resource.
///   - method: The HTTP method.
///   - headers: The header fields; none by default.
///   - body: The request body; none by default.
///   - retry: The maximum number of further attempts after an error; none by default.
public func fetch(
  _ path: String, method: HTTPMethod = .GET, headers: [String: String]? = nil, body: Data? = nil, retry: Int = 0
) -> Promise<HTTPResponse> {
  URLSession.shared.fetch(path, method: method, headers: headers, body: body, retry: retry)
}

extension URLSession {
  /// Sends a request and returns a promise for the response.
  ///
  /// Suspending, resuming or cancelling the promise suspends, resumes or cancels the request. A response with any
  /// status fulfils the promise. A response that is not HTTP rejects the promise with the text "Not HTTP".
  ///
  /// - Parameters:
  ///   - request: The request to send.
  ///   - retry: The maximum number of further attempts after an error; none by default.
  public func fetch(_ request: URLRequest, retry: Int = 0) -> Promise<HTTPResponse> {
    if self === URLSession.shared {
      return Promise(retry: retry) { task, _ in NetworkSession.shared.fetch(request, task: task) }
    }
    #if canImport(FoundationNetworking)
      // On Linux, the program may crash when a task of a `URLSession` is suspended, or is cancelled while it ends. A
      // `NetworkSession` avoids these crashes.
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

  /// Sends a request to a URL and returns a promise for the response.
  ///
  /// Suspending, resuming or cancelling the promise suspends, resumes or cancels the request. A response with any
  /// status fulfils the promise.
  ///
  /// - Parameters:
  ///   - url: The address of the resource.
  ///   - method: The HTTP method.
  ///   - headers: The header fields; none by default.
  ///   - body: The request body; none by default.
  ///   - retry: The maximum number of further attempts after an error; none by default.
  public func fetch(
    _ url: URL, method: HTTPMethod = .GET, headers: [String: String]? = nil, body: Data? = nil, retry: Int = 0
  ) -> Promise<HTTPResponse> {
    fetch(url.absoluteString, method: method, headers: headers, body: body, retry: retry)
  }

  /// Sends a request to an address and returns a promise for the response.
  ///
  /// Suspending, resuming or cancelling the promise suspends, resumes or cancels the request. A response with any
  /// status fulfils the promise.
  ///
  /// - Parameters:
  ///   - path: The address of the resource.
  ///   - method: The HTTP method.
  ///   - headers: The header fields; none by default.
  ///   - body: The request body; none by default.
  ///   - retry: The maximum number of further attempts after an error; none by default.
  public func fetch(
    _ path: String, method: HTTPMethod = .GET, headers: [String: String]? = nil, body: Data? = nil, retry: Int = 0
  ) -> Promise<HTTPResponse> {
    send(to: path, method, headers, body) { self.fetch($0, retry: retry) }
  }
}
