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
/// connections per host and, except on Linux, caches are set there. Foundation opens six connections to a host unless
/// `httpMaximumConnectionsPerHost` says otherwise; further requests wait for one. Requests that are on their way when
/// the last reference to the session goes are still answered.
///
/// **A session may be used from any thread.**
public final class NetworkSession: Sendable {
  /// A session with the default configuration.
  public static let shared = NetworkSession()

  private let carrier: any Carrier
  private let clock: any Clock<Duration>
  /// Fields that are sent with each request that does not have them.
  private let fields: [String: String]
  /// How long an attempt may take in all, in seconds; `nil` where the session sees to that itself.
  private let limit: TimeInterval?

  /// A session.
  ///
  /// On Linux responses are not cached, as Foundation may stop the program when a task is cancelled during a cache
  /// lookup. A compressed body of unknown length seems whole there when it is cut short, as Foundation does not report
  /// that. And while a server sends faster than the body can be written, other requests of the session make no progress
  /// there.
  ///
  /// A redirection to another host, port or scheme is followed without the fields `Authorization`, `Cookie` and
  /// `Proxy-Authorization`, and without the secret ones, wherever they come from.
  ///
  /// - Parameters:
  ///   - configuration: How its requests are sent. Later changes of it have no effect.
  ///   - secretHeaders: The names of other header fields that only the server of the request may get, such as
  ///     `"X-API-Key"`. Upper and lower case are the same.
  public init(configuration: URLSessionConfiguration = .default, secretHeaders: Set<String> = []) {
    let configuration = configuration.copy() as? URLSessionConfiguration ?? configuration
    // Added to the requests here: the session would add them to redirected ones, too.
    fields = (configuration.httpAdditionalHeaders ?? [:]).reduce(into: [:]) { $0["\($1.key)"] = "\($1.value)" }
    configuration.httpAdditionalHeaders = nil
    #if canImport(FoundationNetworking)
      configuration.urlCache = nil
      let limit = configuration.timeoutIntervalForResource
      self.limit = limit < NetworkSession.week ? limit : nil
    #else
      limit = nil
    #endif
    clock = ContinuousClock()
    carrier = FoundationCarrier(configuration, Redirection(secrets: secretHeaders))
  }

  /// A session that sends its requests by a transport.
  ///
  /// - Parameters:
  ///   - transport: What sends the requests. It is kept as long as the session, and as requests are on their way.
  ///   - clock: What measures the waits between the attempts of a request, and the deadline of its policy.
  public init(transport: some HTTPTransport, clock: any Clock<Duration> = ContinuousClock()) {
    carrier = TransportCarrier(transport: transport)
    self.clock = clock
    fields = [:]
    limit = nil
  }

  /// The value that Foundation takes for no limit, in seconds.
  private static let week: TimeInterval = 7 * 24 * 60 * 60

  /// Sends a request, as often as the policy says.
  func send(
    retry policy: PromiseRetryPolicy<any Error>, task: NetworkTask, _ onProgress: NetworkProgressHandler?,
    at site: CallSite, _ makeOrder: () throws(NetworkError) -> TransferOrder
  ) -> Promise<HTTPResponse, any Error> {
    do throws(NetworkError) {
      let order = try makeOrder().adding(fields)
      if let problem = order.request.problem { throw problem }
      guard task.control.use() else {
        PromiseDiagnostics.report(.invalidArgument("NetworkSession(task:): a NetworkTask is for one request"))
        throw .taskReused
      }
      return send(order, retry: policy, task: task, onProgress, at: site)
    } catch {
      return Promise(with: .error(error), site: site)
    }
  }

  private func send(
    _ order: TransferOrder, retry policy: PromiseRetryPolicy<any Error>, task: NetworkTask,
    _ onProgress: NetworkProgressHandler?, at site: CallSite
  ) -> Promise<HTTPResponse, any Error> {
    let control = task.control
    if control.isCancelled { return Promise(with: .cancelled, site: site) }
    let bytes = task.bytes
    let meter = ProgressMeter(bytes, onProgress)
    let pause = control.pause
    let (policy, statuses) = policy.forRequest(order.request)
    var order = order
    order.retriedStatuses = statuses
    let attempts = Promise.retry(policy, on: .immediate.paused(by: pause), clock: clock, at: site) {
      [self, order, weak task, line = pause.line] _ in limited(attempt(order, task, line, meter))
    }
    let response = statuses.isEmpty ? attempts : attempts.fulfilledByLastStatus(meter)
    response.whenOver { result in
      withExtendedLifetime(pause) { bytes.finish(isComplete: result.value != nil) }
    }
    control.follow(response)
    return response
  }

  /// Foundation on Linux has no limit for a slow transfer.
  private func limited(_ response: Promise<HTTPResponse, any Error>) -> Promise<HTTPResponse, any Error> {
    guard let limit else { return response }
    return response.timeout(on: .immediate, .seconds(limit)).mapError(on: .immediate) { error in
      switch error {
      case .rejected(let error): error
      case .timedOut: NetworkError.connection(URLError(.timedOut))
      }
    }
  }

  private func attempt(
    _ order: TransferOrder, _ handle: NetworkTask?, _ pause: PauseLine, _ meter: ProgressMeter
  ) -> Promise<HTTPResponse, any Error> {
    let (response, resolver) = Promise<HTTPResponse, any Error>.makeForLibrary()
    let transfer = Transfer(order, meter: meter, resolver)
    let attempt = Attempt(transfer, order, by: carrier, handle: handle)
    response.whenOver { [weak handle] _ in handle?.end() }
    attempt.begin()
    resolver.onRequestCancelWhileKept { _ in attempt.cancel() }
    pause.attach(attempt, until: response)
    return response
  }
}
