import Foundation
import Overmorrow
import OvermorrowFoundation
import OvermorrowTesting
import Testing

/// The samples of the guides of this module.
@Suite(.inTurn) struct NetworkGuideTests {
  private struct Person: Codable, Equatable, Sendable {
    var name: String
  }

  private let session = patientSession

  @Test("the guide's people are fetched and decoded")
  func people() async throws {
    let server = try TestServer.answering("200 OK", [], #"[{"name": "Ada"}]"#)
    let people = session.fetch(server.address("/people.json"))
      .map(on: .utility) { try $0.checked().decoded(as: [Person].self) }
    #expect(await expectFulfilled(people, within: patience) == [Person(name: "Ada")])
  }

  @Test("the guide's person is sent")
  func send() async throws {
    let server = try TestServer { $0.reply("201 Created", [], $0.body()) }
    let body = try JSONEncoder().encode(Person(name: "Ada"))
    let sent = session.fetch(
      server.address("/people"), method: .post, headers: ["Content-Type": "application/json"], body: body)
    #expect(try await expectFulfilled(sent, within: patience)?.decoded(as: Person.self) == Person(name: "Ada"))
  }

  @Test("the guide's report is tried again while the server is busy")
  func report() async throws {
    let folder = try TemporaryFolder()
    let attempts = Tally()
    let server = try TestServer { connection in
      attempts.add()
      connection.reply(attempts.value == 1 ? "503 Service Unavailable" : "200 OK", [], Data("report".utf8))
    }
    let (session, address, file) = (session, server.address(), folder.file("report.pdf"))
    let policy = RetryPolicy<any Error>(attempts: 4, backoff: .constant(.milliseconds(1)))
      .onlyIf { ($0 as? NetworkError)?.isTransient == true }
    let report = Promise<HTTPResponse, any Error>.retry(policy, on: .utility) { _ in
      session.download(address, to: file).map(on: .immediate) { try $0.checked() }
    }
    #expect(await expectFulfilled(report, within: patience)?.location == file)
    #expect(attempts.value == 2)
  }

  @Test("the guide's film is uploaded, and shown as a Progress")
  func film() async throws {
    let folder = try TemporaryFolder()
    let film = folder.file("film")
    try Data(count: 100_000).write(to: film)
    let server = try TestServer { $0.reply("200 OK", [], Data("\($0.body().count)".utf8)) }
    let task = NetworkTask()
    let upload = session.upload(.file(film), to: server.address("/films/1"), method: .put, task: task)
    #expect(await expectFulfilled(upload, within: patience)?.text == "100000")
    #expect(task.progress.completedUnitCount == 100_000)
  }
}
