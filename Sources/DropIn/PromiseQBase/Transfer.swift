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
        case .error(NetworkError.connection(let error)): reject.value(error)
        case .error(let error): reject.value(error)
        case .cancelled: reject.value(PromiseError.cancelled)
        }
      }
    }
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
  // Sendable: what changes is used on the delegate queue of the session, by one call at a time.
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
