import Foundation
import Overmorrow
import OvermorrowFoundation
import Testing

/// How many connections a session opens, and handles that are used twice.
@Suite(.inTurn) struct NetworkConnectionTests {
  @Test("10.21 a session opens as many connections to a host as its configuration says")
  func connections() async throws {
    // Answers no request before twenty have come.
    let (arrived, complete) = (Tally(), Signal())
    let server = try TestServer { connection in
      arrived.add()
      if arrived.value == 20 { complete.send() }
      complete.block()
      connection.reply()
    }

    let configuration = URLSessionConfiguration.default
    configuration.httpMaximumConnectionsPerHost = 20
    let session = NetworkSession(configuration: configuration)

    // With fewer connections, none of them would be answered.
    let responses = when(fulfilled: (0..<20).map { _ in session.fetch(server.address()) })
    #expect(await expectAnswer(responses)?.count == 20)
  }

  @Test("10.21 by default there are six, and further requests wait for one of them")
  func sixConnections() async throws {
    let (arrived, six, seventh, gate) = (Tally(), Signal(), Signal(), Signal())
    let server = try TestServer { connection in
      arrived.add()
      if arrived.value == 6 { six.send() }
      gate.block()
      connection.reply()
      if arrived.value == 7 { seventh.send() }
    }
    let session = NetworkSession(configuration: patientConfiguration)
    let responses = when(fulfilled: (0..<7).map { _ in session.fetch(server.address()) })
    await six.wait()
    #expect(arrived.value == 6)
    gate.send()
    await expectAnswer(responses)
    await seventh.wait()
  }

  @Test("10.22 a task that is given to a second request rejects that, is reported, and still controls the first one")
  func reusedTask() async throws {
    let found = Recorder<PromiseDiagnostic>()
    let (handler, level) = (PromiseDiagnostics.handler, PromiseDiagnostics.level)
    PromiseDiagnostics.level = .report
    PromiseDiagnostics.handler = { found.record($0) }
    defer { (PromiseDiagnostics.handler, PromiseDiagnostics.level) = (handler, level) }

    let transport = StubTransport(
      ["GET https://example.org/": [.response(HTTPResponse(status: 200), after: .seconds(1))]], clock: TestClock())
    let (session, task) = (NetworkSession(transport: transport), NetworkTask())
    let first = session.fetch("https://example.org/", task: task)
    let second = session.fetch("https://example.org/", task: task)
    #expect(await expectError(second)?.description == NetworkError.taskReused.description)
    #expect(found.entries == [.invalidArgument("NetworkSession(task:): a NetworkTask is for one request")])
    #expect(transport.requests.count == 1)
    task.cancel()
    await expectCancelled(first, within: patience)
  }
}
