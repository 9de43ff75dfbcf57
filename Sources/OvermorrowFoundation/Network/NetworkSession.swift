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
/// session.fetch("https://example.org/people.json")
///   .map(on: .utility) { try $0.checked().decoded(as: [Person].self) }
///   .then { show($0) }
///   .catch { show($0) }
/// ```
///
/// Each session has a `URLSession` of its own, made of any `URLSessionConfiguration`: cookies, caches, proxies, time
/// limits and connections per host are set there. Requests that are on their way when the last reference to the
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
  /// - Parameter configuration: How its requests are sent. Later changes of it have no effect.
  public init(configuration: URLSessionConfiguration = .default) {
    session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: DelegateQueue())
  }

  deinit {
    // Without this it would keep its delegate for ever.
    session.finishTasksAndInvalidate()
  }

  /// Sends what was ordered, as often as the policy says.
  func send(
    _ order: TransferOrder, retry policy: RetryPolicy<any Error>, task: NetworkTask,
    _ onProgress: NetworkProgressHandler?
  ) -> Promise<HTTPResponse, any Error> {
    if let problem = order.request.problem { return Promise(rejected: problem) }
    let bridge = task.bridge
    let meter = ProgressMeter([bridge.update] + (onProgress.map { [$0] } ?? []))
    let response = Promise.retry(policy, on: .immediate) { [self] _ in attempt(order, task, meter) }
    task.follow(response)
    return response
  }

  private func attempt(
    _ order: TransferOrder, _ handle: NetworkTask, _ meter: ProgressMeter
  ) -> Promise<HTTPResponse, any Error> {
    let (response, resolver) = Promise<HTTPResponse, any Error>.makeWithResolver()
    let task = order.makeTask(in: session)
    let transfer = Transfer(task, order, handle: handle, meter: meter, resolver)
    delegate.add(transfer)
    handle.begin(task)
    // The delegate has the transfer, which has the resolver: a handler must not keep that.
    resolver.onRequestCancel(on: .immediate) { [weak transfer, delegate] _ in
      guard let transfer, transfer.cancel() else { return }
      delegate.remove(transfer.task)
      transfer.task.cancel()
    }
    return response
  }
}
