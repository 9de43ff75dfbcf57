import Foundation
import Overmorrow
import OvermorrowFoundation
import Testing

@Suite(.inTurn) struct FetchTests {
  private struct Person: Codable, Equatable, Sendable {
    var name: String
    var age = 7
  }

  @Test("10.1 a response has its status, its header fields, its text and its JSON")
  func ok() async throws {
    let text = #"[{"name": "Zoë", "age": 8}]"#
    let server = try TestServer.answering("200 OK", ["Content-Type: application/json", "X-Mood: fine"], text)
    let (session, address) = (patientSession, server.address())
    let response = try #require(await expectAnswer(session.fetch(address)))
    #expect(response.isOK && response.statusCode == 200)
    #expect(response.statusDescription.hasPrefix("200 "))
    #expect(response.header("x-mood") == "fine")
    #expect(response.text == text && response.data == Data(text.utf8))
    #expect(try (response.json() as? [[String: Any]])?[0]["age"] as? Int == 8)
    #expect(response.location == nil)
    #expect(response.url?.absoluteString == address)

    let people = session.fetch(address)
      .map(on: .utility) { try $0.checked().decoded(as: [Person].self) }
    #expect(await expectAnswer(people) == [Person(name: "Zoë", age: 8)])
  }

  @Test(
    "10.1 10.2 10.11 10.17 a body and its progress end where length, chunks or status say",
    arguments: [
      ("200 OK", ["Content-Length: 5"], Data("hello world".utf8), "hello"),
      // The end of a chunked body is marked by the chunks, whatever the content length says.
      ("200 OK", ["Transfer-Encoding: chunked"], Data("5\r\nhello\r\n6\r\n world\r\n0\r\n\r\n".utf8), "hello world"),
      ("200 OK", ["Content-Length: 100", "Transfer-Encoding: chunked"], Data("4\r\nbody\r\n0\r\n\r\n".utf8), "body"),
      // This status has no body, whatever the content length says.
      ("204 No Content", [], Data(), ""),
      // The server names the character set of the text.
      ("200 OK", ["Content-Type: text/plain; charset=ISO-8859-1"], Data([0x5a, 0x6f, 0xeb]), "Zoë"),
    ])
  func body(status: String, headers: [String], sent: Data, text: String) async throws {
    let server = try TestServer { connection in
      connection.sendHead(status, headers)
      connection.send(sent)
    }
    let log = Recorder<Step>()
    let response = await expectAnswer(patientSession.fetch(server.address()) { log.record(Step($0, $1)) })
    #expect(response?.isOK == true && response?.text == text)
    let size = response.map { Int64($0.data.count) } ?? -1
    #expect(log.entries.last == Step(size, size))
  }

  @Test("10.1 method, header fields and body are sent")
  func request() async throws {
    let server = try TestServer { connection in
      let head = "\(connection.method) \(connection.path) \(connection.headers["content-type"] ?? "none") "
      connection.reply("201 Created", [], Data(head.utf8) + connection.body())
    }
    let (session, address) = (patientSession, server.address("/people?x=1"))
    let body = try JSONEncoder().encode(Person(name: "Ada"))
    let sent = session.fetch(address, method: .post, headers: ["Content-Type": "application/json"], body: body)
    let response = await expectAnswer(sent)
    #expect(response?.statusCode == 201)
    #expect(response?.data == Data("POST /people?x=1 application/json ".utf8) + body)
  }

  @Test("10.1 the response to HEAD has no body and is not treated as truncated")
  func head() async throws {
    let server = try TestServer { $0.sendHead("200 OK", ["Content-Length: 1000"]) }
    let response = await expectAnswer(patientSession.fetch(server.address(), method: .head))
    #expect(response?.isOK == true && response?.data.isEmpty == true)
  }

  @Test("10.1 10.8 a circle of redirections ends with a failure")
  func circle() async throws {
    let server = try TestServer { $0.reply("302 Found", ["Location: /again"]) }
    let ended = await patientSession.fetch(server.address("/")).outcome()
    #expect(ended?.value?.isOK == false || ended?.error is NetworkError)
  }

  @Test("10.3 a response with an error status is not OK", arguments: ["404 Not Found", "500 Internal Server Error"])
  func badStatus(status: String) async throws {
    let server = try TestServer.answering(status, [], "sorry")
    let response = try #require(await expectAnswer(patientSession.fetch(server.address())))
    #expect(!response.isOK && response.text == "sorry")
    #expect(response.statusDescription.lowercased() == status.lowercased())
    #expect(throws: NetworkError.self) { try response.checked() }
  }

  @Test("10.3 a body that is not JSON gives an error that says so")
  func notJSON() async throws {
    let server = try TestServer.answering("200 OK", ["Content-Type: application/json"], "{oops")
    let (address, shown) = (server.address(), Signal())
    @Sendable func show(_ people: [Person]) { Issue.record("no JSON, and yet \(people)") }
    @Sendable func show(_ error: any Error) { shown.send() }

    let people = NetworkSession.shared.fetch(address)
      .map(on: .utility) { try $0.checked().decoded(as: [Person].self) }

    let session = NetworkSession.shared
    session.fetch(address)
      .map(on: .utility) { try $0.checked().decoded(as: [Person].self) }
      .then { show($0) }
      .catch { show($0) }

    #expect(
      await expectError(people)?.description.hasPrefix("The body could not be decoded as Array<Person>: ") == true)
    await shown.wait()
    let plain = try #require(await expectAnswer(patientSession.fetch(server.address())))
    #expect(throws: NetworkError.self) { try plain.json() }
  }

  @Test("10.1 a data task of any session can be a promise")
  func dataTask() async throws {
    let server = try TestServer.answering("404 Not Found", [], "nothing")
    let url = try #require(URL(string: server.address()))
    let loaded = await expectAnswer(URLSession.shared.dataTaskAsPromise(for: url))
    #expect(loaded?.data == Data("nothing".utf8))
    #expect((loaded?.response as? HTTPURLResponse)?.statusCode == 404)
  }

  @Test("10.1 15.10 the promise of a data task has the place of the call")
  func dataTaskPlace() async throws {
    let go = Signal()
    let server = try TestServer { _ in go.block() }
    let url = try #require(URL(string: server.address()))
    let (promise, found) = PromiseDiagnostics.checking { URLSession.shared.dataTaskAsPromise(for: url, line: 7) }
    #expect(found == [.neverResolved(origin: "\(#fileID):7")])
    promise.requestCancel()
    go.send()
  }
}

/// One call of a progress handler.
struct Step: Equatable, Sendable {
  let completed: Int64
  let total: Int64?

  init(_ completed: Int64, _ total: Int64?) { (self.completed, self.total) = (completed, total) }
}

extension Recorder where Entry == Step {
  /// Checks that the progress has risen strictly to this total.
  func expectRise(to total: Int, sourceLocation: SourceLocation = #_sourceLocation) {
    let steps = entries
    #expect(steps.last == Step(Int64(total), Int64(total)), sourceLocation: sourceLocation)
    let rises = zip(steps, steps.dropFirst()).allSatisfy { $0.completed < $1.completed }
    #expect(rises, "\(steps)", sourceLocation: sourceLocation)
  }
}
