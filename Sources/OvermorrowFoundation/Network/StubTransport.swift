public import Overmorrow
internal import OvermorrowEngine

#if canImport(FoundationNetworking)
  internal import Foundation
  public import FoundationNetworking
#else
  public import Foundation
#endif

/// Answers requests from a table, for tests without a server.
///
/// ```swift
/// let transport = StubTransport([
///   "GET https://example.org/people": [
///     .response(HTTPResponse(status: 503, headers: ["Retry-After": "2"])),
///     .response(HTTPResponse(status: 200, body: people), after: .seconds(1)),
///   ],
///   "PUT https://example.org/people/1": [.failure(URLError(.timedOut))],
/// ])
/// let session = NetworkSession(transport: transport)
/// ```
///
/// The answers to a request are given one after another, and the last answer is repeated. A request that has no answer
/// in the table fails. The error names the request and the requests of the table. **A transport may be used from any
/// thread.**
public final class StubTransport: HTTPTransport {
  /// An answer to a request.
  public struct Answer: Sendable {
    let result: Result<HTTPResponse, any Error>
    let delay: Duration
    var parts = 1
    var interval = Duration.zero

    /// Returns an answer that delivers a response. The body may arrive in parts.
    ///
    /// With several parts and a `TestClock`, a test can check each step of the progress. If there are several parts and
    /// neither a `Content-Length` nor a `Transfer-Encoding` field, the head announces the length of the body. The body
    /// of an upload is sent in the same number of parts, at the same times.
    ///
    /// ```swift
    /// let answer = StubTransport.Answer.response(
    ///   HTTPResponse(body: film), after: .seconds(1), inParts: 4, every: .seconds(1))
    /// ```
    ///
    /// - Parameters:
    ///   - response: The response to deliver.
    ///   - delay: The time until the head and the first part of the body arrive; none by default.
    ///   - parts: The number of parts, of nearly equal lengths; 1 by default. Less than 1 counts as 1.
    ///   - interval: The time between two parts; none by default.
    public static func response(
      _ response: HTTPResponse, after delay: Duration = .zero, inParts parts: Int = 1, every interval: Duration = .zero
    ) -> Answer {
      Answer(result: .success(response), delay: delay, parts: max(parts, 1), interval: interval)
    }

    /// Returns an answer that fails with an error.
    ///
    /// - Parameters:
    ///   - error: The reason, such as a `URLError`.
    ///   - delay: The time until the request fails; none by default.
    public static func failure(_ error: any Error, after delay: Duration = .zero) -> Answer {
      Answer(result: .failure(error), delay: delay)
    }
  }

  private struct State {
    var requests: [URLRequest] = []
    /// The number of times that each request has been received.
    var counts: [String: Int] = [:]
  }

  private let answers: [String: [Answer]]
  private let clock: any Clock<Duration>
  private let state = Guarded(State())

  /// Creates a transport that answers from a table.
  ///
  /// - Parameters:
  ///   - answers: The answers to each request. A key is a method and an address, such as `"GET https://example.org/"`.
  ///   - clock: The clock for the delays, such as a `TestClock`.
  public init(_ answers: [String: [Answer]], clock: any Clock<Duration> = ContinuousClock()) {
    self.answers = answers
    self.clock = clock
  }

  /// The requests received so far, in order. A body is in the `httpBody` of its request, unless the body comes from a
  /// file.
  public var requests: [URLRequest] { state.withLock { $0.requests } }

  /// Answers a request from the table.
  ///
  /// - Parameters:
  ///   - request: The request to look up.
  ///   - body: The request body; `nil` if there is none.
  ///   - receiver: The receiver of the response.
  public func send(
    _ request: URLRequest, body: UploadSource?, to receiver: HTTPReceiver
  ) -> Promise<Void, any Error> {
    let name = "\(request.httpMethod ?? "GET") \(request.url?.absoluteString ?? "")"
    guard let answer = nextAnswer(to: name, request, body) else {
      return Promise(with: .error(UnknownRequest(name: name, known: answers.keys.sorted())), site: .library)
    }
    let delivery = StubDelivery(answer, uploading: (try? body?.size()) ?? 0, to: receiver)
    return deliver(1, of: delivery, after: answer.delay)
  }

  /// Delivers a part of an answer after a delay, and then the remaining parts.
  private func deliver(_ part: Int, of delivery: StubDelivery, after delay: Duration) -> Promise<Void, any Error> {
    Promise.wait(delay, on: clock).flatMap(on: .immediate) { [self] in
      try delivery.deliver(part)
      if part == delivery.answer.parts { return Promise(with: .value(()), site: .library) }
      return deliver(part + 1, of: delivery, after: delivery.answer.interval)
    }
  }

  private func nextAnswer(to name: String, _ request: URLRequest, _ body: UploadSource?) -> Answer? {
    var request = request
    if case .data(let data)? = body { request.httpBody = data }
    return state.withLock { state in
      state.requests.append(request)
      let count = state.counts[name, default: 0]
      state.counts[name] = count + 1
      return answers[name].flatMap { $0.indices.contains(count) ? $0[count] : $0.last }
    }
  }
}

/// The error for a request that has no answer in the table.
private struct UnknownRequest: Error, CustomStringConvertible {
  let name: String
  let known: [String]

  var description: String {
    let answers = known.isEmpty ? "no answers" : "only answers for: \(known.joined(separator: ", "))"
    return "StubTransport has no answer for \(name). It has \(answers)"
  }
}
