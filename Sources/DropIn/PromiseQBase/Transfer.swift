internal import Foundation
internal import Overmorrow
internal import OvermorrowFoundation

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// What a request of Overmorrow's promises.
typealias Answer = Overmorrow.Promise<OvermorrowFoundation.HTTPResponse, any Error>

extension Promise where T == HTTPResponse {
  /// A promise for the response to a request.
  ///
  /// - Parameters:
  ///   - progress: Learns how far it has come.
  ///   - retry: How often to try again after an error.
  ///   - send: Sends the request, under the control of a task.
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
        case .error(let error): reject.value(plain(error))
        // Of the request alone: when the chain is cancelled, this is too late to count.
        case .cancelled: reject.value(URLError(.cancelled))
        }
      }
    }
  }
}

/// The promise that a closure makes of a request to an address; a rejected one if it is no address.
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

/// An error as the code that this module is for knows it: a text, or the error of the system.
private func plain(_ error: any Error) -> any Error {
  switch error as? NetworkError {
  case .connection(let error): error
  case .truncated: URLError(.networkConnectionLost)
  case .file(_, let error): error
  // The address is one of another protocol.
  case .notHTTP, .badAddress: "Not HTTP"
  default: error
  }
}

extension OvermorrowFoundation.HTTPMethod {
  init(_ method: HTTPMethod) { self.init(rawValue: method.rawValue) }
}

/// A request as something that a promise can suspend.
private struct ControlledTask: Asyncable {
  let task: NetworkTask

  func suspend() { task.suspend() }

  func resume() { task.resume() }

  func cancel() { task.cancel() }
}

/// Tells how far a request has come.
private final class ProgressReport: @unchecked Sendable {
  // Sendable: what changes is used on a queue of the request, by one call at a time.
  private let progress: Progress
  private let control: NetworkTask
  /// The last call comes when the task has ended.
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
