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
}
