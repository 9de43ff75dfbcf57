import Foundation
import Overmorrow
import OvermorrowFlow
import OvermorrowFoundation
import Testing

/// Sessions whose requests go through a transport.
@Suite(.inTurn) struct TransportTests {
  @Test("10.24 a response is made of a status, header fields and a body")
  func response() throws {
    let busy = HTTPResponse(status: 503, headers: ["Retry-After": "2"])
    let fine = HTTPResponse(body: Data("fine".utf8))
    #expect(fine.statusCode == 200 && fine.text == "fine")
    #expect(busy.statusCode == 503 && !busy.isOK && busy.text == "")
    #expect(busy.header("retry-after") == "2" && busy.url?.host == "localhost")
    let url = try #require(URL(string: "https://example.org/"))
    #expect(HTTPResponse(url: url).url == url)
  }

  @Test("10.33 the values of a repeated field are joined, however its name is spelled")
  func repeatedFields() {
    for _ in 0..<10 {
      let response = HTTPResponse(headers: [
        "cache-control": "c", "Cache-Control": "b", "CACHE-CONTROL": "a", "Age": "1",
      ])
      #expect(response.header("Cache-control") == "a, b, c" && response.header("age") == "1")
    }
  }

  @Test("10.24 a body in parts gives a step of progress for each part", arguments: [true, false])
  func parts(isKnown: Bool) async {
    let film = Data(0..<103)
    let other = ["Transfer-Encoding": "chunked"]

    let clock = TestClock()
    let transport = StubTransport(
      [
        "GET https://example.org/film": [
          .response(
            HTTPResponse(headers: isKnown ? [:] : other, body: film), after: .seconds(1), inParts: 4, every: .seconds(1)
          )
        ]
      ], clock: clock)
    let (session, task) = (NetworkSession(transport: transport, clock: clock), NetworkTask())

    let response = session.fetch("https://example.org/film", task: task)
    for completed in [25, 50, 75] as [Int64] {
      await clock.advance(by: .seconds(1))
      #expect(task.bytes.current.completed == completed && task.bytes.current.total == (isKnown ? 103 : nil))
    }
    expectPending(response)
    await clock.advance(by: .seconds(1))
    #expect(expectFulfilled(response)?.data == film)
    #expect(task.bytes.current.fraction == 1 && task.bytes.current.completed == 103)
  }

  @Test("10.24 16.16 a clock that moves by itself reaches the end of a retry")
  func retryOfGuide() async throws {
    let (people, clock) = (Data("[]".utf8), TestClock())
    let transport = StubTransport(
      [
        "GET https://example.org/people": [
          .response(HTTPResponse(status: 503, headers: ["Retry-After": "2"])),
          .response(HTTPResponse(status: 200, body: people), after: .seconds(1)),
        ]
      ], clock: clock)
    let session = NetworkSession(transport: transport, clock: clock)
    do {
      let people = try await clock.run {
        try await session.fetch("https://example.org/people", retry: .http(attempts: 3)).value.checked()
      }
      #expect(people.text == "[]" && clock.now.offset == .seconds(3))
    }
  }

  @Test("10.24 a test sees half of a film after half of its parts")
  func partsOfGuide() async {
    let (address, film, clock) = ("https://example.org/film", Data(count: 100), TestClock())

    let answer = StubTransport.Answer.response(
      HTTPResponse(body: film), after: .seconds(1), inParts: 4, every: .seconds(1))

    let transport = StubTransport(["GET \(address)": [answer]], clock: clock)
    let session = NetworkSession(transport: transport, clock: clock)

    let task = NetworkTask()
    let loaded = session.fetch(address, task: task)
    await clock.advance(by: .seconds(2))
    #expect(task.bytes.current.fraction == 0.5)

    await clock.run()
    #expect(expectFulfilled(loaded)?.data == film)
  }

  @Test("10.24 an upload to a table is sent in the parts of its response")
  func uploadInParts() async {
    let clock = TestClock()
    let answer = StubTransport.Answer.response(HTTPResponse(status: 201), inParts: 2, every: .seconds(1))
    let transport = StubTransport(["POST https://example.org/": [answer]], clock: clock)
    let (session, task) = (NetworkSession(transport: transport, clock: clock), NetworkTask())
    let response = session.upload(.data(Data(count: 7)), to: "https://example.org/", task: task)
    await clock.advance(by: .milliseconds(1))
    #expect(task.bytes.current.completed == 3 && task.bytes.current.total == 7)
    await clock.advance(by: .seconds(1))
    #expect(expectFulfilled(response)?.statusCode == 201)
    #expect(task.bytes.current.completed == 7)
  }

  @Test("10.24 a table answers requests in order, repeats the last answer, and records requests")
  func table() async {
    let answers: [StubTransport.Answer] = [
      .response(HTTPResponse(status: 500)), .failure(URLError(.timedOut)), .response(HTTPResponse(status: 200)),
    ]
    let transport = StubTransport(["GET https://example.org/": answers])
    let session = NetworkSession(transport: transport)
    func fetch() -> Promise<HTTPResponse, any Error> { session.fetch("https://example.org/", headers: ["A": "b"]) }
    #expect(await expectAnswer(fetch())?.statusCode == 500)
    #expect(await expectError(fetch())?.code == .timedOut)
    for _ in 0..<2 { #expect(await expectAnswer(fetch())?.statusCode == 200) }
    #expect(transport.requests.map { $0.value(forHTTPHeaderField: "a") } == ["b", "b", "b", "b"])
  }

  /// Blocks for more turns of tasks than the clock waits for when it is idle.
  private func takeLong() {
    for _ in 0..<200 {
      let turn = DispatchSemaphore(value: 0)
      Task.detached(priority: .background) { turn.signal() }
      turn.wait()
    }
  }

  @Test("10.24 16.13 an answer takes its time in the table, on a clock that waits")
  func delay() async {
    let body = Data(count: 10)
    let answers = [
      "GET https://example.org/": [
        StubTransport.Answer.response(HTTPResponse(status: 200, body: body), after: .seconds(5))
      ]
    ]

    let clock = TestClock()
    let transport = StubTransport(answers, clock: clock)
    let session = NetworkSession(transport: transport, clock: clock)

    let response = session.fetch("https://example.org/") { [self] _, _ in takeLong() }
    await clock.advance(by: .seconds(4))
    expectPending(response)
    await clock.advance(by: .seconds(1))
    #expect(expectFulfilled(response)?.data == body)
  }

  @Test("16.13 the clock waits for running operations, unless their queue is suspended")
  func restOfOperations() async {
    let (queue, clock) = (OperationQueue(), TestClock())
    func step() -> Promise<Void, Never> {
      Promise(fulfilled: (), after: .seconds(1), clock: clock).map(on: .operationQueue(queue)) { [self] in takeLong() }
    }
    let first = step()
    await clock.advance(by: .seconds(1))
    expectFulfilled(first)
    queue.isSuspended = true
    let second = step()
    await clock.advance(by: .seconds(1))
    expectPending(second)
    queue.isSuspended = false
    await expectAnswer(second)
  }

  @Test("10.24 a request outside the table fails, and the error names all requests")
  func unknown() async {
    let people = Data("[]".utf8)

    let transport = StubTransport([
      "GET https://example.org/people": [
        .response(HTTPResponse(status: 503, headers: ["Retry-After": "2"])),
        .response(HTTPResponse(status: 200, body: people), after: .seconds(1)),
      ],
      "PUT https://example.org/people/1": [.failure(URLError(.timedOut))],
    ])
    let session = NetworkSession(transport: transport)

    #expect(await expectAnswer(session.fetch("https://example.org/people"))?.statusCode == 503)
    let error = await expectRejected(session.fetch("https://example.org/x", retry: .http()), within: waitLimit)
    #expect(
      "\(error.map { "\($0)" } ?? "")".contains(
        "StubTransport has no answer for GET https://example.org/x. It has only answers for: "
          + "GET https://example.org/people, PUT https://example.org/people/1"))
    #expect(transport.requests.count == 2)
    let empty = NetworkSession(transport: StubTransport([:])).fetch("https://example.org/x")
    #expect("\(await expectRejected(empty, within: waitLimit).map { "\($0)" } ?? "")".contains("It has no answers"))
  }

  @Test("10.23 a transport may answer inside the call")
  func atOnce() async {
    struct Echo: HTTPTransport {
      func send(_ request: URLRequest, body: UploadSource?, to receiver: HTTPReceiver) -> Promise<Void, any Error> {
        receiver.receive(HTTPResponse(status: 200, body: Data("\(request)".utf8)))
        return Promise(fulfilled: ())
      }
    }
    let session = NetworkSession(transport: Echo())
    #expect(await expectAnswer(session.fetch("https://example.org/"))?.text?.isEmpty == false)
  }

  @Test("10.23 a download through a transport is written beside the file that it then replaces")
  func download() async throws {
    let (folder, transport, task) = (try TemporaryFolder(), DrivenTransport(), NetworkTask())
    let file = folder.file("it")
    let response = NetworkSession(transport: transport).download("https://example.org/", to: file, task: task)
    let (receiver, resolver) = try #require(transport.calls.entries.first)
    receiver.receive(HTTPResponse(status: 200, headers: ["Content-Length": "6"]).response)
    for part in ["Ada", "Bob"] { receiver.receive(Data(part.utf8)) }
    #expect(folder.names.count == 1 && folder.names != ["it"])
    resolver.fulfill(with: ())
    #expect(await expectAnswer(response)?.location == file)
    #expect(try String(contentsOf: file, encoding: .utf8) == "AdaBob" && folder.names == ["it"])
    #expect(task.bytes.current.completed == 6 && task.bytes.current.total == 6 && task.urlSessionTask == nil)
  }

  @Test("10.23 a truncated body is an error, and so is a missing response")
  func incomplete() async throws {
    let transport = DrivenTransport()
    let session = NetworkSession(transport: transport)
    let responses = (0..<2).map { _ in session.fetch("https://example.org/") }
    transport.calls.entries[0].receiver.receive(
      HTTPResponse(status: 200, headers: ["Content-Length": "6"], body: Data("Ada".utf8)))
    for call in transport.calls.entries { call.resolver.fulfill(with: ()) }
    #expect(await expectError(responses[0])?.description == "The body ended after 3 of 6 bytes.")
    #expect(await expectError(responses[1])?.name == "connection")
  }

  @Test("10.23 a request to cancel reaches the transport, and later parts are ignored")
  func cancel() async throws {
    let (folder, transport) = (try TemporaryFolder(), DrivenTransport())
    let response = NetworkSession(transport: transport).download("https://example.org/", to: folder.file("it"))
    let (receiver, resolver) = try #require(transport.calls.entries.first)
    receiver.receive(HTTPResponse(status: 200, body: Data(count: 100)))
    response.requestCancel()
    await expectCancelled(response, within: waitLimit)
    #expect(resolver.hasRequestedCancel && folder.names.isEmpty)
    receiver.receive(Data(count: 100))
    #expect(folder.names.isEmpty)
  }

  @Test("10.23 a transport whose file cannot be written is asked to cancel")
  func unwritable() async throws {
    let (folder, transport) = (try TemporaryFolder(), DrivenTransport())
    let response = NetworkSession(transport: transport).download("https://example.org/", to: folder.file("a/b"))
    let (receiver, resolver) = try #require(transport.calls.entries.first)
    receiver.receive(HTTPResponse(status: 200, body: Data(count: 100)))
    #expect(await expectError(response)?.name == "file")
    #expect(resolver.hasRequestedCancel)
  }

  @Test("10.23 a suspended request is abandoned, and sent again when it is resumed")
  func suspend() async throws {
    let (transport, task) = (DrivenTransport(), NetworkTask())
    let response = NetworkSession(transport: transport).fetch("https://example.org/", task: task)
    let first = try #require(transport.calls.entries.first)
    first.receiver.receive(HTTPResponse(status: 200, body: Data("Ada".utf8)))
    task.suspend()
    #expect(first.resolver.hasRequestedCancel)
    expectPending(response)
    task.resume()
    let second = try #require(transport.calls.entries.last)
    #expect(transport.calls.entries.count == 2)
    second.receiver.receive(HTTPResponse(status: 200, body: Data("Bob".utf8)))
    second.resolver.fulfill(with: ())
    #expect(await expectAnswer(response)?.text == "Bob")
  }

  @Test("10.23 an upload through a transport receives its source and reports its progress")
  func upload() async throws {
    let (transport, task) = (DrivenTransport(), NetworkTask())
    let source = UploadSource.data(Data(count: 100))
    let response = NetworkSession(transport: transport).upload(source, to: "https://example.org/", task: task)
    let (receiver, resolver) = try #require(transport.calls.entries.first)
    receiver.sent(60)
    await until("the progress") { task.bytes.current.completed == 60 }
    receiver.receive(HTTPResponse(status: 201))
    resolver.fulfill(with: ())
    await expectAnswer(response)
    #expect(task.bytes.current.completed == 100 && task.bytes.current.total == 100)
  }
}
