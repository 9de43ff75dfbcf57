import Foundation
import Overmorrow
import OvermorrowFoundation
import Testing

/// The number of connections that a session opens, and task handles that are used twice.
@Suite(.inTurn) struct NetworkConnectionTests {
  /// The session of the guide.
  private func makeSession() -> NetworkSession {
    let configuration = URLSessionConfiguration.default
    configuration.httpMaximumConnectionsPerHost = 20
    let session = NetworkSession(configuration: configuration)
    return session
  }

  @Test("10.21 a session opens as many connections to a host as its configuration allows", arguments: [6, 20])
  func connections(count: Int) async throws {
    let (arrived, all, last, gate) = (Tally(), Signal(), Signal(), Signal())
    let server = try TestServer { connection in
      arrived.add()
      if arrived.value == count { all.send() }
      gate.block()
      connection.reply()
      if arrived.value == count + 1 { last.send() }
    }
    let session = count == 6 ? NetworkSession(configuration: patientConfiguration) : makeSession()
    let responses = when(fulfilled: (0...count).map { _ in session.fetch(server.address()) })
    await all.wait()
    #expect(arrived.value == count)
    gate.send()
    await expectAnswer(responses)
    await last.wait()
  }

  @Test(
    "10.27 a request on a kept connection that the server closes is resent or fails",
    arguments: [HTTPMethod.get, .put, .post], [true, false])
  func lostConnection(method: HTTPMethod, isUpload: Bool) async throws {
    let connections = Tally()
    let server = try TestServer { connection in
      connections.add()
      if connections.value == 1 {
        // The connection is kept, and closed when the second request has arrived.
        connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
        if connection.readHead() { _ = connection.body() }
      } else {
        connection.reply("200 OK", [], Data("\(connection.method) ".utf8) + connection.body())
      }
    }
    let session = NetworkSession(configuration: patientConfiguration)
    await expectAnswer(session.fetch(server.address()))
    let body = Data("Ada".utf8)
    let start = ContinuousClock.now
    let response =
      isUpload && method != .get
      ? session.upload(.data(body), to: server.address(), method: method)
      : session.fetch(server.address(), method: method, body: method == .get ? nil : body)
    if method == .post {
      let error = await expectError(response)
      #expect(error?.code == .networkConnectionLost && error?.isTransient == true)
    } else {
      #expect(await expectAnswer(response)?.text == (method == .get ? "GET " : "PUT Ada"))
    }
    #expect(start.duration(to: .now) < .seconds(30))
  }

  @Test("10.22 a second request with a used task is rejected and reported")
  func reusedTask() async throws {
    let found = Recorder<PromiseDiagnostic>()
    let (handler, level) = (PromiseDiagnostics.handler, PromiseDiagnostics.level)
    PromiseDiagnostics.level = .report
    // The mistakes of other tests that run at the same time are reported, too.
    PromiseDiagnostics.handler = { if case .invalidArgument = $0 { found.record($0) } }
    defer { (PromiseDiagnostics.handler, PromiseDiagnostics.level) = (handler, level) }

    let transport = StubTransport(
      ["GET https://example.org/": [.response(HTTPResponse(status: 200), after: .seconds(1))]], clock: TestClock())
    let (session, task) = (NetworkSession(transport: transport), NetworkTask())
    let first = session.fetch("https://example.org/", task: task)
    let second = session.fetch("https://example.org/", task: task)
    #expect(await expectError(second)?.description == NetworkError.taskReused.description)
    #expect(
      found.entries == [.invalidArgument("NetworkSession(task:): a NetworkTask can be used for one request only")])
    #expect(transport.requests.count == 1)
    task.cancel()
    await expectCancelled(first, within: waitLimit)
  }
}
