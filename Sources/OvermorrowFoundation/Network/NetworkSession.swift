internal import Overmorrow

#if canImport(FoundationNetworking)
  internal import Foundation
  public import FoundationNetworking
#else
  public import Foundation
#endif

/// Sends HTTP requests, and promises the responses.
///
/// ```swift
/// let session = NetworkSession.shared
/// session.fetch(address)
///   .map(on: .utility) { try $0.checked().decoded(as: [Person].self) }
///   .then { show($0) }
///   .catch { show($0) }
/// ```
///
/// Each session has a `URLSession` of its own, made of any `URLSessionConfiguration`: cookies, proxies, time limits,
/// connections per host and, except on Linux, caches are set there. Requests that are on their way when the last reference to the
/// session goes are still answered.
///
/// **A session may be used from any thread.**
public final class NetworkSession: Sendable {
  /// A session with the default configuration.
  public static let shared = NetworkSession()

  private let delegate = SessionDelegate()
  private let session: URLSession

  /// A session.
  ///
  /// On Linux responses are not cached: Foundation there does not always survive that a task is cancelled while it looks
  /// into its cache.
  ///
  /// - Parameter configuration: How its requests are sent. Later changes of it have no effect.
  public init(configuration: URLSessionConfiguration = .default) {
    let configuration = configuration.copy() as? URLSessionConfiguration ?? configuration
    #if canImport(FoundationNetworking)
      configuration.urlCache = nil
    #endif
    session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: DelegateQueue())
  }

  deinit {
    // Without this it would keep its delegate for ever.
    session.finishTasksAndInvalidate()
  }

  /// Sends what was ordered, as often as the policy says.
  func send(
    _ order: TransferOrder, retry policy: PromiseRetryPolicy<any Error>, task: NetworkTask,
    _ onProgress: NetworkProgressHandler?, at site: CallSite
  ) -> Promise<HTTPResponse, any Error> {
    if let problem = order.request.problem { return Promise(with: .error(problem), site: site) }
    let bytes = task.bytes
    let meter = ProgressMeter(bytes, onProgress)
    // The first attempt is a step already, so that it can be held back.
    let (start, starter) = Promise<Void, any Error>.makeForLibrary(at: site)
    let response = start.flatMap(on: .immediate) { [self, weak task] in
      Promise.retry(policy, on: .immediate) { [self, weak task] _ in attempt(order, task, meter) }
    }
    response.whenOver { result in bytes.finish(isComplete: result.value != nil) }
    if task.control.follow(response) { starter.fulfill(with: ()) } else { starter.cancel() }
    return response
  }

  private func attempt(
    _ order: TransferOrder, _ handle: NetworkTask?, _ meter: ProgressMeter
  ) -> Promise<HTTPResponse, any Error> {
    let (response, resolver) = Promise<HTTPResponse, any Error>.makeForLibrary()
    let transfer = Transfer(order, meter: meter, resolver)
    let attempt = Attempt(transfer, order, in: self, handle: handle)
    response.whenOver { [weak handle] _ in handle?.end() }
    attempt.begin()
    resolver.attach(attempt)
    return response
  }

  /// A task that tells a transfer of what happens; it is to be resumed, or forgotten.
  func makeTask(_ order: TransferOrder, for transfer: Transfer) -> URLSessionTask {
    let task = order.makeTask(in: session)
    delegate.add(transfer, for: task)
    return task
  }

  /// A cancelled task may never be heard of again.
  func forget(_ task: URLSessionTask) { delegate.remove(task) }
}
