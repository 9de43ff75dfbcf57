import Foundation
import Overmorrow
import OvermorrowFlow
import OvermorrowFoundation
import Testing

/// The progress of requests whose bodies are empty, or differ between attempts.
@Suite(.inTurn) struct NetworkProgressTests {
  enum Empty: CaseIterable {
    case noContent, notModified, head, ok, upload
  }

  @Test("10.10 the Progress of an empty body ends, and so does its parent", arguments: Empty.allCases)
  func empty(_ empty: Empty) async throws {
    let server = try TestServer { connection in
      switch empty {
      case .noContent: connection.sendHead("204 No Content")
      case .notModified: connection.sendHead("304 Not Modified", ["Content-Length: 10"])
      case .head: connection.sendHead("200 OK", ["Content-Length: 10"])
      case .ok: connection.reply()
      case .upload: connection.reply("200 OK", [], Data("received".utf8))
      }
    }
    let (task, parent) = (NetworkTask(), Progress(totalUnitCount: 2))
    parent.addChild(task.progress, withPendingUnitCount: 1)
    parent.completedUnitCount = 1
    let address = server.address()
    let response =
      empty == .upload
      ? patientSession.upload(.data(Data()), to: address, task: task)
      : patientSession.fetch(address, method: empty == .head ? .head : .get, task: task)
    await expectAnswer(response)
    #expect(task.progress.isFinished && !task.progress.isIndeterminate && parent.isFinished)
    #expect(task.bytes.current.completed == 0 && task.bytes.current.fraction == 1)
  }

  @Test("10.10 the Progress of a failed request with an empty body does not end")
  func emptyFailure() async throws {
    let (transport, task) = (DrivenTransport(), NetworkTask())
    let whole = PromiseProgress(combining: [task.bytes])
    let response = NetworkSession(transport: transport).upload(.data(Data()), to: "https://example.org/", task: task)
    transport.calls.entries[0].receiver.sent(0)
    await until("the progress") { task.bytes.current.total == 0 }
    transport.calls.entries[0].resolver.reject(with: URLError(.networkConnectionLost))
    await expectError(response)
    #expect(!task.progress.isFinished && task.bytes.current.isFinished && task.bytes.current.fraction == nil)
    #expect(whole.current.isFinished && whole.current.fraction == 0)
  }

  @Test("10.12 a later attempt with a larger body, or of unknown length, changes the total", arguments: [1000, nil])
  func otherLength(length: Int?) async throws {
    let (transport, task, log) = (DrivenTransport(), NetworkTask(), Recorder<Step>())
    let response = NetworkSession(transport: transport).fetch(
      "https://example.org/", retry: PromiseRetryPolicy(attempts: 2), task: task
    ) { log.record(Step($0, $1)) }
    let first = transport.calls.entries[0]
    first.receiver.receive(HTTPResponse(status: 200, headers: ["Content-Length": "100"], body: Data(count: 90)))
    await until("the bytes of the first attempt") { task.bytes.current.completed == 90 }
    #expect(task.bytes.current.fraction == 0.9)
    first.resolver.reject(with: URLError(.networkConnectionLost))
    await until("the second attempt") { transport.calls.entries.count == 2 }
    let second = transport.calls.entries[1]
    let headers = length.map { ["Content-Length": "\($0)"] } ?? [:]
    second.receiver.receive(HTTPResponse(status: 200, headers: headers, body: Data(count: 80)))
    second.receiver.receive(Data(count: 70))
    await until("the bytes of the second attempt") { task.bytes.current.completed == 150 }
    #expect(task.bytes.current.total == length.map { Int64($0) })
    #expect(task.bytes.current.fraction == length.map { 150 / Double($0) })
    #expect(task.progress.isIndeterminate == (length == nil) && !task.progress.isFinished)
    second.receiver.receive(Data(count: 850))
    second.resolver.fulfill(with: ())
    await expectAnswer(response)
    #expect(log.entries.map(\.completed) == log.entries.map(\.completed).sorted())
    #expect(log.entries.last == Step(1000, 1000) && task.progress.isFinished)
  }
}
