@_spi(Adapters) internal import Overmorrow
internal import OvermorrowDiagnostics
internal import OvermorrowEngine
@_spi(Adapters) internal import OvermorrowFlow

#if canImport(FoundationNetworking)
  internal import Foundation
  public import FoundationNetworking
#else
  public import Foundation
#endif

/// Sends HTTP requests and returns promises for the responses.
///
/// ```swift
/// let session = NetworkSession.shared
/// session.fetch(address)
///   .map(on: .utility) { try $0.checked().decoded(as: [Person].self) }
///   .then { show($0) }
///   .catch { show($0) }
/// ```
///
/// A session without an ``HTTPTransport`` has its own `URLSession`. Its `URLSessionConfiguration` determines cookies,
/// proxies, time limits, connections per host and, except on Linux, caches. Foundation opens at most
/// `httpMaximumConnectionsPerHost` connections to a host. The default is 6 on macOS and Linux, and 4 on iOS. Further
/// requests wait for a free connection. Releasing the last reference to a session does not end its requests.
///
/// **A session may be used from any thread.**
public final class NetworkSession: Sendable {
  /// A session with the default configuration.
  public static let shared = NetworkSession()

  private let carrier: any Carrier
  private let clock: any Clock<Duration>
  /// The header fields that are added to each request. A field that the request already has stays unchanged.
  private let fields: [String: String]
  /// The longest time of an attempt, in seconds; `nil` if there is no limit, or if Foundation enforces the limit.
  private let limit: TimeInterval?

  /// Creates a session that uses Foundation.
  ///
  /// There are three limitations on Linux. Responses are not cached, because Foundation may crash if a task is
  /// cancelled during a cache lookup. A truncated body that is compressed and has no known length seems complete,
  /// because Foundation does not report the truncation. While a server sends faster than the body can be written, other
  /// requests of the session make no progress.
  ///
  /// After a redirection to another host, port or scheme, the session does not send the header fields `Authorization`,
  /// `Cookie`, `Proxy-Authorization` and those in `secretHeaders`. This rule applies to the fields of the request and
  /// to the fields of the configuration. Cookies in the cookie storage for the new address are still sent.
  ///
  /// - Parameters:
  ///   - configuration: The configuration of the session. Changing the configuration later has no effect.
  ///   - secretHeaders: The names of further header fields that must be sent only to the server of the original
  ///     request, such as `"X-API-Key"`. The names are case-insensitive.
  public init(configuration: URLSessionConfiguration = .default, secretHeaders: Set<String> = []) {
    let configuration = configuration.copy() as? URLSessionConfiguration ?? configuration
    // The session adds these header fields to each request itself, because Foundation would also add the fields to
    // redirected requests.
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
    carrier = FoundationCarrier(configuration, secretHeaders: secretHeaders)
  }

  /// Creates a session that sends its requests through a transport.
  ///
  /// - Parameters:
  ///   - transport: The transport. The session and its unresolved requests retain the transport.
  ///   - clock: The clock for the delays between attempts and for the deadline of a policy.
  public init(transport: some HTTPTransport, clock: any Clock<Duration> = ContinuousClock()) {
    carrier = TransportCarrier(transport: transport)
    self.clock = clock
    fields = [:]
    limit = nil
  }

  /// The limit in seconds that Foundation treats as no limit.
  private static let week: TimeInterval = 7 * 24 * 60 * 60

  /// Sends a request, with as many attempts as the policy allows.
  func send(
    retry policy: PromiseRetryPolicy<any Error>, task: NetworkTask, _ onProgress: NetworkProgressHandler?,
    at site: CallSite, _ makeOrder: () throws(NetworkError) -> TransferOrder
  ) -> Promise<HTTPResponse, any Error> {
    do throws(NetworkError) {
      let order = try makeOrder().adding(fields)
      if let problem = order.request.problem ?? carrier.problem(of: order) { throw problem }
      guard task.control.claim() else {
        Diagnostics.report(
          .invalidArgument("NetworkSession(task:): a NetworkTask can be used for one request only"))
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
    response.whenResolved { result in
      withExtendedLifetime(pause) { bytes.finish(isComplete: result.value != nil) }
    }
    control.follow(response)
    return response
  }

  /// Limits the duration of an attempt, because Foundation on Linux does not enforce the limit.
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
    let (response, resolver) = Promise<HTTPResponse, any Error>.makeForLibrary(at: .library)
    let transfer = Transfer(order, meter: meter, resolver)
    let attempt = Attempt(transfer, order, by: carrier, handle: handle)
    response.whenResolved { [weak handle] _ in handle?.end() }
    attempt.begin()
    resolver.onRequestCancel(on: .immediate) { _ in attempt.cancel() }
    pause.attach(attempt, until: response)
    return response
  }
}
