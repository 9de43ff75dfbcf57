internal import Foundation
public import Overmorrow

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

extension PromiseRetryPolicy where Failure == any Error {
  /// A policy for the requests of a ``NetworkSession``, which tries again after failures that may pass, and waits as
  /// long as the server says.
  ///
  /// ```swift
  /// let report = session.download(address, to: file, retry: .http(attempts: 4))
  /// ```
  ///
  /// It tries again after an error that is transient, by ``NetworkError/isTransient``, and after a response with one of
  /// `statuses`. If that response says `Retry-After`, in seconds or as a date, that is how long it waits, instead of
  /// `backoff`. When there is no other attempt, the promise is fulfilled with the last response, whatever its status,
  /// or rejected with the last error.
  ///
  /// A request with a method that is not one of `methods` is sent once. By default these are the idempotent methods:
  /// `POST` and `PATCH` may do twice what was meant to be done once, if the request has arrived and the response has
  /// not.
  ///
  /// `onlyIf` and `retryAfter` see such a response as `NetworkError.status`. Given to `Promise.retry` instead of a
  /// session, the policy knows of no method, and sees no response unless ``HTTPResponse/checked()`` throws it.
  ///
  /// - Parameters:
  ///   - attempts: How many attempts there are at most, the first one included. Less than 1 counts as 1.
  ///   - backoff: How long to wait between attempts where the server does not say.
  ///   - deadline: For how long attempts may begin; `nil` means for ever.
  ///   - statuses: Which statuses are worth another attempt.
  ///   - methods: For which requests there is more than one attempt.
  ///   - longestWait: The longest time to wait because a server says so.
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
      .retryAfter { error in
        guard case .status(let response)? = error as? NetworkError else { return nil }
        return response.retryAfter.map { min($0, longestWait) }
      }
    policy.note = HTTPRetryNote(statuses: statuses, methods: methods)
    return policy
  }

  /// The policy for one request, and the statuses that it is to see as errors.
  func forRequest(_ request: URLRequest) -> (policy: PromiseRetryPolicy, statuses: Set<Int>) {
    guard let note = note as? HTTPRetryNote else { return (self, []) }
    if note.methods.contains(HTTPMethod(rawValue: request.httpMethod ?? "GET")) { return (self, note.statuses) }
    var policy = self
    policy.attempts = 1
    return (policy, [])
  }
}

/// What a session looks up in a policy for HTTP.
private struct HTTPRetryNote: Sendable {
  let statuses: Set<Int>
  let methods: Set<HTTPMethod>
}

extension HTTPResponse {
  /// How long the server asks to wait, from its `Retry-After`: a number of seconds, or a date, less the `Date` of the
  /// response or the time of this machine.
  var retryAfter: Duration? {
    guard let field = header("Retry-After") else { return nil }
    if let seconds = Int64(field) { return .seconds(max(seconds, 0)) }
    guard let date = Date(httpDate: field) else { return nil }
    let now = header("Date").flatMap { Date(httpDate: $0) } ?? Date()
    return .seconds(max(date.timeIntervalSince(now), 0))
  }
}

extension Date {
  /// A date as HTTP writes it, such as `Sun, 06 Nov 1994 08:49:37 GMT`.
  fileprivate init?(httpDate text: String) {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(identifier: "GMT")
    formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss zzz"
    guard let date = formatter.date(from: text) else { return nil }
    self = date
  }
}

extension Promise<HTTPResponse, any Error> {
  /// The same, except that a response whose status ended the last attempt is a response again.
  func fulfilledByLastStatus(_ meter: ProgressMeter) -> Promise {
    flatMapError(on: .immediate) { error in
      guard case .status(let response)? = error as? NetworkError else { return Promise(with: .error(error)) }
      let (promise, resolver) = Promise.makeForLibrary()
      meter.afterwards {
        meter.finish(at: Int64(response.data.count))
        resolver.fulfill(with: response)
      }
      return promise
    }
  }
}
