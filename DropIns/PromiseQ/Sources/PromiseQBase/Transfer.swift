internal import Foundation
internal import Overmorrow
internal import OvermorrowFoundation

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// The promise of Overmorrow for the response to a request.
typealias Answer = Overmorrow.Promise<OvermorrowFoundation.HTTPResponse, any Error>

extension Promise where T == HTTPResponse {
  /// Creates a promise for the response to a request.
  ///
  /// - Parameters:
  ///   - progress: The function to call with the progress of the request.
  ///   - retry: The maximum number of further attempts after an error; none by default.
  ///   - send: The function that sends the request. The task that the function receives controls the request.
  init(
    _ progress: Progress? = nil, retry: Int, send: @escaping (NetworkTask, NetworkProgressHandler?) -> Answer
  ) {
    self.init(retry: retry) { resolve, reject, task in
      let control = NetworkTask()
      let (resolve, reject) = (Kept(resolve), Kept(reject))
      task = ControlledTask(task: control)
      send(control, progress.map { ProgressReport($0, of: control).report }).tap(on: .immediate) { result in
        switch result {
        case .value(let answer): resolve.value(HTTPResponse(answer))
        case .error(let error): reject.value(originalError(error))
        // This call has an effect only if the request alone was cancelled. If the chain was cancelled, the chain has
        // already rejected the step.
        case .cancelled: reject.value(URLError(.cancelled))
        }
      }
    }
  }
}

/// Creates a request to an address, passes the request to a closure, and returns the promise of the closure. If the
/// address is not valid, returns a rejected promise.
func send(
  to path: String, _ method: HTTPMethod, _ headers: [String: String]?, _ body: Data? = nil,
  _ send: (URLRequest) -> Promise<HTTPResponse>
) -> Promise<HTTPResponse> {
  guard let url = URL(string: path) else { return .reject("Bad URL") }
  guard ["http", "https"].contains(url.scheme?.lowercased()) else { return .reject("Not HTTP") }
  do {
    let method = OvermorrowFoundation.HTTPMethod(method)
    return send(try URLRequest(path, method: method, headers: headers ?? [:], body: body))
  } catch NetworkError.badAddress {
    return .reject("Bad URL")
  } catch {
    return .reject(error)
  }
}

/// Returns the error that the original library would give: a string, or the error of the system.
private func originalError(_ error: any Error) -> any Error {
  switch error as? NetworkError {
  case .connection(let error): error
  case .truncated: URLError(.networkConnectionLost)
  case .bodyNotAllowed: URLError(.dataLengthExceedsMaximum)
  case .file(_, let error): error
  // The scheme is neither HTTP nor HTTPS, or the response is not HTTP.
  case .notHTTP, .badAddress: "Not HTTP"
  default: error
  }
}

extension OvermorrowFoundation.HTTPMethod {
  init(_ method: HTTPMethod) { self.init(rawValue: method.rawValue) }
}

/// A wrapper that makes a request an ``Asyncable``, so that a promise can suspend, resume and cancel it.
private struct ControlledTask: Asyncable {
  let task: NetworkTask

  func suspend() { task.suspend() }

  func resume() { task.resume() }

  func cancel() { task.cancel() }
}

/// An object that reports the progress of a request.
private final class ProgressReport: @unchecked Sendable {
  // Sendable because its mutable state is used only on a queue of the request, by one report at a time.
  private let progress: Progress
  private let control: NetworkTask
  /// The task of the request. The task is retained because the last report comes after the task has ended.
  private var task: URLSessionTask?

  init(_ progress: @escaping Progress, of control: NetworkTask) {
    self.progress = progress
    self.control = control
  }

  @Sendable
  func report(_ bytes: Int64, of total: Int64?) {
    task = control.urlSessionTask ?? task
    if let task { progress(task, bytes, total ?? NSURLSessionTransferSizeUnknown) }
  }
}
