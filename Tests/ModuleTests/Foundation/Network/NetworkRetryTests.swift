import Foundation
import Overmorrow
import OvermorrowFlow
import OvermorrowFoundation
import Testing

/// Retries because of a status.
@Suite(.inTurn) struct NetworkRetryTests {
  private static let get = "GET https://example.org/"
  private let clock = TestClock()

  private func busy(_ headers: [String: String] = [:]) -> StubTransport.Answer {
    .response(HTTPResponse(status: 503, headers: headers, body: Data("busy".utf8)))
  }

  private let fine = StubTransport.Answer.response(HTTPResponse(status: 200, body: Data("fine".utf8)))

  /// Returns the delay of a policy after a response with the given fields.
  private func wait(after headers: [String: String], _ policy: PromiseRetryPolicy<any Error>) async -> Duration? {
    let session = NetworkSession(transport: StubTransport([Self.get: [busy(headers), fine]]), clock: clock)
    let response = session.fetch("https://example.org/", retry: policy)
    await clock.waitForSleepers(1)
    let (start, end) = (clock.now, clock.next)
    await clock.run()
    #expect(await expectAnswer(response)?.text == "fine")
    return end.map { start.duration(to: $0) }
  }

  @Test("10.20 a retry waits as long as the server asks, up to a limit")
  func retryAfter() async {
    let policy = PromiseRetryPolicy.http(backoff: .constant(.milliseconds(5)), longestWait: .seconds(40))
    #expect(await wait(after: [:], policy) == .milliseconds(5))
    #expect(await wait(after: ["Retry-After": "2"], policy) == .seconds(2))
    #expect(await wait(after: ["Retry-After": "3600"], policy) == .seconds(40))
    #expect(await wait(after: ["Retry-After": "soon"], policy) == .milliseconds(5))
    let date = ["Date": "Sun, 06 Nov 1994 08:49:37 GMT", "Retry-After": "Sun, 06 Nov 1994 08:50:07 GMT"]
    #expect(await wait(after: date, policy) == .seconds(30))
    #expect(await wait(after: ["Retry-After": "Fri, 31 Dec 9999 23:59:59 GMT"], policy) == .seconds(40))
  }

  @Test(
    "10.20 a retry waits for the backoff unless the server asks for more",
    arguments: ["0", "-5", "1", " 2 ", "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT"])
  func shortRetryAfter(field: String) async {
    let policy = PromiseRetryPolicy.http(backoff: .constant(.seconds(5)))
    #expect(await wait(after: ["Retry-After": field], policy) == .seconds(5))
  }

  @Test(
    "10.20 a retry reads each format of a date, and a number of any size",
    arguments: [
      "Sun, 06 Nov 1994 08:50:07 GMT", "Sunday, 06-Nov-94 08:50:07 GMT", "Sun Nov  6 08:50:07 1994", "30", "0030",
      "99999999999999999999999999", "Tuesday, 06-Nov-68 08:49:37 GMT", "Thu Nov 10 08:50:07 1994",
    ])
  func formats(field: String) async {
    // Dates are compared with the date of the response, and a longer delay than the limit is reduced to it.
    let headers = ["Date": "Sun Nov  6 08:49:37 1994", "Retry-After": field]
    let policy = PromiseRetryPolicy.http(backoff: .none, longestWait: .seconds(30))
    #expect(await wait(after: headers, policy) == .seconds(30))
  }

  @Test("10.20 a two-digit year is less than 50 years in the future")
  func twoDigits() async throws {
    let year = Calendar(identifier: .gregorian).component(.year, from: Date())
    for (ahead, seconds) in [(60, 5), (40, 30)] {
      let digits = String(format: "%02d", (year + ahead) % 100)
      let policy = PromiseRetryPolicy.http(backoff: .constant(.seconds(5)), longestWait: .seconds(30))
      #expect(await wait(after: ["Retry-After": "Sunday, 06-Nov-\(digits) 08:50:07 GMT"], policy) == .seconds(seconds))
    }
  }

  @Test("10.20 a download is retried after a past date or a negative number")
  func retriedDownload() async throws {
    for field in ["Sun, 06 Nov 1994 08:49:37 GMT", "0", "-5"] {
      let folder = try TemporaryFolder()
      let (address, file) = ("https://example.org/", folder.file("report.pdf"))
      let transport = StubTransport([Self.get: [busy(["Retry-After": field]), fine]])
      let session = NetworkSession(transport: transport, clock: clock)
      let report = session.download(address, to: file, retry: .http(attempts: 4))
      await clock.waitForSleepers(1)
      await clock.run()
      #expect(await expectAnswer(report)?.location == file)
      #expect(try String(contentsOf: file, encoding: .utf8) == "fine" && folder.names == ["report.pdf"])
      #expect(transport.requests.count == 2)
    }
  }

  @Test("10.20 the last response is the result if no attempt is left")
  func lastResponse() async {
    let transport = StubTransport([
      Self.get: [busy()], "GET https://example.org/none": [.response(HTTPResponse(status: 404))],
    ])
    let session = NetworkSession(transport: transport, clock: clock)
    let policy = PromiseRetryPolicy.http(attempts: 3, backoff: .none)
    let progress = Recorder<[Int64?]>()
    let task = NetworkTask()
    let response = session.fetch("https://example.org/", retry: policy, task: task) { progress.record([$0, $1]) }
    #expect(await expectAnswer(response)?.text == "busy")
    #expect(transport.requests.count == 3)
    #expect(progress.entries == [[4, 4]])
    #expect(task.bytes.current.fraction == 1 && task.bytes.current.completed == 4)
    #expect(await expectAnswer(session.fetch("https://example.org/none", retry: policy))?.statusCode == 404)
    #expect(transport.requests.count == 4)
  }

  @Test("10.20 statuses and methods can be chosen, and by default POST is sent once")
  func choices() async {
    let post = "POST https://example.org/"
    let transport = StubTransport([
      Self.get: [.response(HTTPResponse(status: 404)), busy(), fine],
      post: [.failure(URLError(.timedOut)), busy(), fine],
    ])
    let session = NetworkSession(transport: transport, clock: clock)
    let curious = PromiseRetryPolicy.http(backoff: .none, statuses: [404])
    #expect(await expectAnswer(session.fetch("https://example.org/", retry: curious))?.statusCode == 503)
    let careful = session.fetch("https://example.org/", method: .post, retry: .http(backoff: .none))
    await expectError(careful)
    let bold = session.fetch("https://example.org/", method: .post, retry: .http(backoff: .none, methods: [.post]))
    #expect(await expectAnswer(bold)?.text == "fine")
    #expect(transport.requests.map(\.httpMethod) == ["GET", "GET", "POST", "POST", "POST"])
  }

  @Test("10.20 an additional condition receives a status as an error")
  func conditions() async {
    let transport = StubTransport([Self.get: [busy(["Retry-After": "0"]), busy(), fine]])
    let policy = PromiseRetryPolicy.http(backoff: .none).onlyIf { error in
      guard case .status(let response)? = error as? NetworkError else { return false }
      return response.header("Retry-After") != nil
    }
    let response = NetworkSession(transport: transport, clock: clock).fetch("https://example.org/", retry: policy)
    #expect(await expectAnswer(response)?.text == "busy")
    #expect(transport.requests.count == 2)
  }

  @Test("10.1 10.4 10.12 10.20 a download from a busy server that cuts the connection twice is complete")
  func busyAndCut() async throws {
    let folder = try TemporaryFolder()
    let attempts = Tally()
    let server = try TestServer { connection in
      attempts.add()
      if attempts.value == 1 { return connection.reply("503 Service Unavailable", [], Data(count: 200_000)) }
      connection.begin(of: 100_000, Data(repeating: 1, count: attempts.value < 4 ? 60_000 : 100_000))
    }
    let (task, steps, log) = (NetworkTask(), Recorder<PromiseProgress.Step>(), Recorder<Step>())
    task.bytes.onProgress(on: .immediate) { steps.record($0) }
    let response = patientSession.download(
      server.address(), to: folder.file("it"), retry: .http(attempts: 5, backoff: .none), task: task
    ) { log.record(Step($0, $1)) }
    #expect(await expectAnswer(response)?.location == folder.file("it"))
    log.expectRise(to: 100_000)
    #expect(attempts.value == 4 && folder.names == ["it"])
    let completed = steps.entries.map(\.completed)
    #expect(zip(completed, completed.dropFirst()).allSatisfy { $0 <= $1 } && completed.last == 100_000)
    #expect(steps.entries.allSatisfy { $0.total == nil || $0.total == 100_000 } && task.bytes.current.fraction == 1)
  }
}
