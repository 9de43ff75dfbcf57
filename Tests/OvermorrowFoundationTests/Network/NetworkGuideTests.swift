import Foundation
import Overmorrow
import OvermorrowFoundation
import OvermorrowTesting
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The samples of the guides of this module.
@Suite(.inTurn) struct NetworkGuideTests {
  private struct Person: Codable, Equatable, Sendable {
    var name: String
  }

  private let session = patientSession

  @Test("10.1 the guide's people are fetched and decoded")
  func people() async throws {
    let server = try TestServer.answering("200 OK", [], #"[{"name": "Ada"}]"#)
    let address = server.address("/people.json")
    let people = session.fetch(address)
      .map(on: .utility) { try $0.checked().decoded(as: [Person].self) }
    #expect(await expectFulfilled(people, within: patience) == [Person(name: "Ada")])
  }

  @Test("10.1 people are fetched by the session that is shared, and shown")
  func shown() async throws {
    let server = try TestServer.answering("200 OK", [], #"[{"name": "Ada"}]"#)
    let address = server.address("/people.json")
    let people = NetworkSession.shared.fetch(address)
      .map(on: .utility) { try $0.checked().decoded(as: [Person].self) }
    #expect(await people.ended()?.value?.count == 1)

    let shown = Signal()
    @Sendable func show(_ people: [Person]) { shown.send() }
    @Sendable func show(_ error: any Error) { shown.send() }
    let session = NetworkSession.shared
    session.fetch(address)
      .map(on: .utility) { try $0.checked().decoded(as: [Person].self) }
      .then { show($0) }
      .catch { show($0) }
    await shown.wait()
  }

  @Test("10.1 the guide's person is sent")
  func send() async throws {
    let server = try TestServer { $0.reply("201 Created", [], $0.body()) }
    let address = server.address("/people")
    let body = try JSONEncoder().encode(Person(name: "Ada"))
    let sent = session.fetch(address, method: .post, headers: ["Content-Type": "application/json"], body: body)
    #expect(try await expectFulfilled(sent, within: patience)?.decoded(as: Person.self) == Person(name: "Ada"))
  }

  @Test("10.1 the guide's report is tried again while the server is busy")
  func report() async throws {
    let folder = try TemporaryFolder()
    let attempts = Tally()
    let server = try TestServer { connection in
      attempts.add()
      connection.reply(attempts.value == 1 ? "503 Service Unavailable" : "200 OK", [], Data("report".utf8))
    }
    let (session, address, file) = (session, server.address(), folder.file("report.pdf"))
    let report = session.download(address, to: file, retry: .http(attempts: 4))
    #expect(await expectFulfilled(report, within: patience)?.location == file)
    #expect(attempts.value == 2)
  }

  @Test("10.1 the guide's film is uploaded")
  func film() async throws {
    let folder = try TemporaryFolder()
    let film = folder.file("film")
    try Data(count: 100_000).write(to: film)
    let server = try TestServer { $0.reply("200 OK", [], Data("\($0.body().count)".utf8)) }
    let address = server.address("/films/1")
    let upload = session.upload(.file(film), to: address, method: .put)
    #expect(await expectFulfilled(upload, within: patience)?.text == "100000")
  }

  @Test("10.5 the guide's report and film are suspended and resumed, by a pause and by the task")
  func suspending() async throws {
    let folder = try TemporaryFolder()
    let server = try TestServer.answering("200 OK", [], "report")
    let (address, file) = (server.address(), folder.file("report.pdf"))
    let policy = PromiseRetryPolicy<any Error>(attempts: 3, backoff: .exponential(.milliseconds(200)))
      .onlyIf { ($0 as? NetworkError)?.isTransient == true }
    do {
      let pause = PromisePause()
      let report = session.download(address, to: file, retry: policy, task: NetworkTask(pause: pause))
        .map(on: .utility.paused(by: pause)) { try $0.checked() }
      pause.suspend()
      pause.resume()
      #expect(await expectFulfilled(report, within: patience)?.isOK == true)
    }
    do {
      let task = NetworkTask()
      let film = session.download(address, to: file, task: task)
      task.suspend()
      task.resume()
      #expect(await expectFulfilled(film, within: patience)?.isOK == true)
    }
    do {
      @Sendable func show(_ fraction: Double?) {}
      let task = NetworkTask()
      let report = session.download(address, to: file, task: task)
      task.bytes.onProgress(on: .main) { step in show(step.fraction) }
      task.suspend()
      task.resume()
      #expect(await expectFulfilled(report, within: patience)?.isOK == true)
    }
    #expect(folder.names == ["report.pdf"])
  }

  @Test("12.6 the guide's two sheets have one progress")
  func progress() async throws {
    @Sendable func show(_ fraction: Double?) {}
    let server = try TestServer.answering("200 OK", [], "sheet")
    let (front, back) = (server.address("/front"), server.address("/back"))
    let (first, second) = (NetworkTask(), NetworkTask())
    let whole = PromiseProgress(combining: [first.bytes, second.bytes])
    whole.onProgress(on: .main) { step in show(step.fraction) }
    let sheets = when(fulfilled: session.fetch(front, task: first), session.fetch(back, task: second))
    #expect(await expectFulfilled(sheets, within: patience)?.0.text == "sheet")
    #expect(whole.current.fraction == 1 && whole.current.isFinished)
  }

  @Test("10.19 the guide's address is a string, a URL or a request")
  func addresses() async throws {
    let url = try #require(URL(string: "https://example.org/people"))
    let request = URLRequest(url: url)
    let session = NetworkSession(
      transport: StubTransport(["GET https://example.org/people": [.response(HTTPResponse(status: 200))]]))
    let first = session.fetch("https://example.org/people")
    let second = session.fetch(url)
    let third = session.fetch(request)
    for response in [first, second, third] {
      #expect(await expectFulfilled(response, within: patience)?.isOK == true)
    }
  }

  @Test("10.1 10.19 the people of a comment are fetched, and one is sent")
  func comments() async throws {
    let url = try #require(URL(string: "https://example.org/people"))
    let body = Data("{}".utf8)
    let session = NetworkSession(
      transport: StubTransport([
        "GET https://example.org/people": [.response(HTTPResponse(status: 200))],
        "POST https://example.org/people": [.response(HTTPResponse(status: 201))],
      ]))
    let people = session.fetch("https://example.org/people")
    let sent = session.fetch(url, method: .post, headers: ["Content-Type": "application/json"], body: body)
    #expect(await expectFulfilled(people, within: patience)?.statusCode == 200)
    #expect(await expectFulfilled(sent, within: patience)?.statusCode == 201)
  }

  @Test("10.21 the guide's session has twenty connections")
  func connections() async throws {
    let server = try TestServer.answering("200 OK")
    let configuration = URLSessionConfiguration.default
    configuration.httpMaximumConnectionsPerHost = 20
    let session = NetworkSession(configuration: configuration)
    await expectFulfilled(session.fetch(server.address()), within: patience)
  }

  @Test("10.24 the guide's table answers, at once and on a clock")
  func table() async throws {
    let people = Data("[]".utf8)
    let busy = HTTPResponse(status: 503, headers: ["Retry-After": "2"])
    do {
      let transport = StubTransport([
        "GET https://example.org/people": [
          .response(HTTPResponse(status: 503, headers: ["Retry-After": "2"])),
          .response(HTTPResponse(status: 200, data: people), after: .seconds(1)),
        ],
        "PUT https://example.org/people/1": [.failure(URLError(.timedOut))],
      ])
      let session = NetworkSession(transport: transport)
      #expect(await expectFulfilled(session.fetch("https://example.org/people"), within: patience)?.statusCode == 503)
    }
    do {
      let answers = ["GET https://example.org/": [StubTransport.Answer.response(busy, after: .seconds(1))]]
      let clock = TestClock()
      let transport = StubTransport(answers, clock: clock)
      let session = NetworkSession(transport: transport, clock: clock)
      let response = session.fetch("https://example.org/")
      expectPending(response)
      await clock.run()
      #expect(await expectFulfilled(response, within: patience)?.header("Retry-After") == "2")
    }
  }

  @Test("10.23 the transport of a comment answers with the request")
  func transport() async {
    struct Echo: HTTPTransport {
      func send(_ request: URLRequest, body: UploadSource?, to receiver: HTTPReceiver) -> Promise<Void, any Error> {
        receiver.receive(HTTPResponse(status: 200, data: Data("\(request)".utf8)))
        return Promise(fulfilled: ())
      }
    }
    let session = NetworkSession(transport: Echo())
    #expect(await expectFulfilled(session.fetch("https://example.org/"), within: patience)?.text?.isEmpty == false)
  }
}
