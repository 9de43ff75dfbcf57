internal import Foundation
internal import Overmorrow
internal import OvermorrowEngine
public import OvermorrowFlow

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

extension PromiseRetryPolicy where Failure == any Error {
  /// Returns a policy for the requests of a ``NetworkSession``. The policy retries after transient failures. Each delay
  /// is at least as long as the server asks, up to a limit.
  ///
  /// ```swift
  /// let report = session.download(address, to: file, retry: .http(attempts: 4))
  /// ```
  ///
  /// The policy retries after a transient error (see ``NetworkError/isTransient``) and after a response with one of
  /// `statuses`. The delay before the next attempt is the longer of two delays: the delay of `backoff`, and the delay
  /// in the `Retry-After` field of the response, up to `longestWait`. The field contains seconds or a date. If no
  /// attempt is left, the promise is fulfilled with the last response, whatever its status, or rejected with the last
  /// error.
  ///
  /// A request whose method is not one of `methods` has one attempt. By default `methods` contains the idempotent
  /// methods. If a `POST` or `PATCH` request arrived but its response was lost, another attempt may repeat the effect
  /// of the request.
  ///
  /// The closures of `onlyIf` and `retryAfter` receive a response with one of `statuses` as `NetworkError.status`. If
  /// the policy is passed to `Promise.retry` instead of a session, the policy ignores `methods`. The policy then
  /// receives a response only as an error, for example from ``HTTPResponse/checked()``.
  ///
  /// - Parameters:
  ///   - attempts: The maximum number of attempts, including the first. Less than 1 counts as 1.
  ///   - backoff: The delays between attempts if the server does not ask for longer delays. The backoff applies even if
  ///     the server asks for no delay, so that clients do not all return at once.
  ///   - deadline: The deadline for starting an attempt, measured from the start of the request; `nil` means no
  ///     deadline.
  ///   - statuses: The statuses after which there is another attempt.
  ///   - methods: The methods whose requests may have more than one attempt.
  ///   - longestWait: The longest delay that a server can ask for. A longer `Retry-After` counts as this delay.
  public static func http(
    attempts: Int = 3, backoff: PromiseRetryBackoff = .exponential(.milliseconds(200)).jittered(0.5...1),
    deadline: Duration? = nil, statuses: Set<Int> = NetworkError.transientStatuses,
    methods: Set<HTTPMethod> = HTTPMethod.idempotent, longestWait: Duration = .seconds(60)
  ) -> PromiseRetryPolicy {
    var policy = PromiseRetryPolicy(attempts: attempts, backoff: backoff, deadline: deadline)
      .onlyIf { error in
        guard case .status(let response)? = error as? NetworkError else {
          return (error as? NetworkError)?.isTransient == true
        }
        return statuses.contains(response.statusCode)
      }
      .retryAfterAtLeast { error in
        guard case .status(let response)? = error as? NetworkError else { return nil }
        return response.retryAfter.map { min($0, longestWait) }
      }
    policy.requests = (statuses, Set(methods.map(\.rawValue)))
    return policy
  }

  /// Returns the policy for one request, and the statuses that end an attempt of the request with an error.
  func forRequest(_ request: URLRequest) -> (policy: PromiseRetryPolicy, statuses: Set<Int>) {
    guard let (statuses, methods) = requests else { return (self, []) }
    if methods.contains(request.httpMethod ?? "GET") { return (self, statuses) }
    var policy = self
    policy.attempts = 1
    return (policy, [])
  }
}

extension HTTPResponse {
  /// The delay that the server asks for in `Retry-After`; `nil` if there is no valid field. The field contains a number
  /// of seconds or a date. A date is compared with the `Date` of the response. If the response has no valid `Date`, the
  /// date is compared with the local time.
  var retryAfter: Duration? {
    guard let field = header("Retry-After")?.trimmingCharacters(in: .whitespaces) else { return nil }
    // A number of seconds that is too large for an integer still means a long delay.
    let isNumber = !field.isEmpty && field.allSatisfy { $0.isASCII && $0.isNumber }
    if let seconds = Int64(field) ?? (isNumber ? .max : nil) { return .seconds(max(seconds, 0)) }
    guard let date = Date(httpDate: field) else { return nil }
    let now = header("Date").flatMap { Date(httpDate: $0) } ?? Date()
    return .seconds(max(date.timeIntervalSince(now), 0))
  }
}

extension Date {
  /// The three formats of a date in HTTP (RFC 9110, 5.6.7). Examples are `Sun, 06 Nov 1994 08:49:37 GMT`,
  /// `Sunday, 06-Nov-94 08:49:37 GMT` and `Sun Nov  6 08:49:37 1994`. The last two formats are obsolete, but still
  /// accepted.
  private static var httpFormats: [String] {
    ["EEE, dd MMM yyyy HH:mm:ss zzz", "EEEE, dd-MMM-yy HH:mm:ss zzz", "EEE MMM d HH:mm:ss yyyy"]
  }

  /// Creates a date from a text in one of the formats of HTTP; `nil` if the text has another format.
  fileprivate init?(httpDate text: String) {
    // A day below 10 may have two spaces before it.
    let text = text.split(separator: " ").joined(separator: " ")
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(identifier: "GMT")
    // A year of two digits means a year between 50 years ago and 50 years from now.
    formatter.twoDigitStartDate = Calendar(identifier: .gregorian).date(byAdding: .year, value: -50, to: Date())
    for format in Date.httpFormats {
      formatter.dateFormat = format
      if let date = formatter.date(from: text) {
        self = date
        return
      }
    }
    return nil
  }
}

extension Promise<HTTPResponse, any Error> {
  /// Returns a promise with the same result, unless the result is the error `NetworkError.status`. In that case, the
  /// promise returned is fulfilled with the response in the error.
  func fulfilledByLastStatus(_ meter: ProgressMeter) -> Promise {
    flatMapError(on: .immediate) { error in
      guard case .status(let response)? = error as? NetworkError else {
        return Promise(with: .error(error), site: .library)
      }
      let (promise, resolver) = Promise.makeForLibrary(at: .library)
      meter.afterReports {
        meter.finish(at: Int64(response.data.count))
        resolver.fulfill(with: response)
      }
      return promise
    }
  }
}
