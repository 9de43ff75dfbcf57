import Foundation
import Overmorrow
import OvermorrowFlow
import OvermorrowFoundation
import Testing

/// Requests with the core's types: their contexts are paused by a pause, and their bytes are reported by a
/// `PromiseProgress`.
@Suite(.inTurn) struct NetworkSuspendingTests {
  private static let body = Data((0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 / 7) })

  /// Makes a server that sends the first part of the body, and the rest when it is told to, starting over for each
  /// request.
  private static func halting(_ go: Signal) throws -> TestServer {
    try TestServer { connection in
      connection.begin(of: body.count, body.prefix(250_000))
      go.block()
      connection.send(body.dropFirst(250_000))
    }
  }

  /// Whether the request is not running. `urlSessionTask` is `nil` on Linux.
  private func isStopped(_ task: NetworkTask) -> Bool {
    task.urlSessionTask == nil || task.urlSessionTask?.state == .suspended
  }

  /// Returns a signal that is sent when the first part has arrived.
  private static func part(of task: NetworkTask) -> Signal {
    let part = Signal()
    task.bytes.onProgress(on: .immediate) { if $0.completed > 0 { part.send() } }
    return part
  }

  @Test("10.2 7.6 requests under a pause, and the callbacks after them, stop and continue with it")
  func pause() async throws {
    let go = Signal()
    let server = try Self.halting(go)
    let pause = PromisePause()
    let tasks = [0, 1].map { _ in NetworkTask(pause: pause) }
    let parts = tasks.map { Self.part(of: $0) }
    let lengths = tasks.map { task in
      patientSession.fetch(server.address(), retry: PromiseRetryPolicy(attempts: 3), task: task)
        .map(on: .utility.paused(by: pause)) { $0.data }
    }
    for part in parts { await part.wait() }
    pause.suspend()
    #expect(tasks.allSatisfy { isStopped($0) && $0.isSuspended })
    pause.resume()
    #expect(tasks.allSatisfy { !$0.isSuspended })
    await until("the tasks") { tasks.allSatisfy { !isStopped($0) } }
    go.send()
    for length in lengths { #expect(await expectAnswer(length) == Self.body) }
    for task in tasks { #expect(task.bytes.current.fraction == 1 && task.bytes.current.isFinished) }
  }

  @Test("10.2 a suspension reaches whichever attempt is running")
  func secondAttempt() async throws {
    let (begun, go) = (Signal(), Signal())
    let attempts = Tally()
    let server = try TestServer { connection in
      attempts.add()
      if attempts.value == 1 { return }
      begun.send()
      go.block()
      connection.reply("200 OK", [], Self.body)
    }
    let task = NetworkTask()
    let policy = PromiseRetryPolicy<any Error>(attempts: 9, backoff: .constant(.milliseconds(1)))
    let response = patientSession.fetch(server.address(), retry: policy, task: task)
    await begun.wait()
    task.suspend()
    #expect(isStopped(task))
    expectPending(response)
    task.resume()
    go.send()
    #expect(await expectAnswer(response)?.data == Self.body)
  }

  @Test("10.2 a request suspended between two attempts begins no other, and can be cancelled")
  func betweenAttempts() async throws {
    let server = try TestServer { _ in }
    let (task, failed) = (NetworkTask(), Signal())
    let policy = PromiseRetryPolicy<any Error>(attempts: 9, backoff: .constant(.milliseconds(1))).onlyIf { _ in
      task.suspend()
      failed.send()
      return true
    }
    let response = patientSession.fetch(server.address(), retry: policy, task: task)
    await failed.wait()
    expectPending(response)
    #expect(server.count == 1 && task.isSuspended)
    response.requestCancel()
    // The closure of the policy, which has sent the signal, may still be running.
    await expectCancelled(response, within: waitLimit)
    #expect(server.count == 1)
  }

  @Test("10.2 10.5 a request that its task and its pause suspend continues when neither does")
  func twoSuspensions() async throws {
    let (folder, go, log) = (try TemporaryFolder(), Signal(), Recorder<Step>())
    let server = try Self.halting(go)
    let pause = PromisePause()
    let task = NetworkTask(pause: pause)
    let part = Self.part(of: task)
    let response = patientSession.download(server.address(), to: folder.file("it"), task: task) {
      log.record(Step($0, $1))
    }
    await part.wait()
    task.suspend()
    pause.suspend()
    pause.resume()
    #expect(task.isSuspended && isStopped(task))
    pause.suspend()
    task.resume()
    #expect(task.isSuspended && isStopped(task))
    pause.resume()
    #expect(!task.isSuspended)
    await until("the task") { !isStopped(task) }
    go.send()
    await expectAnswer(response)
    #expect(try Data(contentsOf: folder.file("it")) == Self.body && folder.names == ["it"])
    log.expectRise(to: Self.body.count)
  }

  @Test("10.5 12.6 the guide's requests are suspended and resumed, and two have one progress")
  func guide() async throws {
    @Sendable func show(_ fraction: Double?) {}
    let folder = try TemporaryFolder()
    let server = try TestServer.answering("200 OK", [], "report")
    let (session, address, file) = (patientSession, server.address(), folder.file("report.pdf"))
    let (front, back) = (address, address)
    let policy = PromiseRetryPolicy<any Error>(attempts: 3, backoff: .exponential(.milliseconds(200)))
      .onlyIf { ($0 as? NetworkError)?.isTransient == true }
    do {
      let pause = PromisePause()
      let report = session.download(address, to: file, retry: policy, task: NetworkTask(pause: pause))
        .map(on: .utility.paused(by: pause)) { try $0.checked() }
      pause.suspend()
      pause.resume()
      await expectAnswer(report)
    }
    do {
      let task = NetworkTask()
      let film = session.download(address, to: file, task: task)
      task.suspend()
      task.resume()
      await expectAnswer(film)
    }
    do {
      let task = NetworkTask()
      let report = session.download(address, to: file, task: task)
      task.bytes.onProgress(on: .main) { step in show(step.fraction) }
      task.suspend()
      task.resume()
      await expectAnswer(report)
    }
    #expect(folder.names == ["report.pdf"])
    let (first, second) = (NetworkTask(), NetworkTask())
    let whole = PromiseProgress(combining: [first.bytes, second.bytes])
    whole.onProgress(on: .main) { step in show(step.fraction) }
    let sheets = when(fulfilled: session.fetch(front, task: first), session.fetch(back, task: second))
    #expect(await expectAnswer(sheets)?.0.text == "report")
    #expect(whole.current.fraction == 1 && whole.current.isFinished)
  }

  @Test("10.2 requests that are repeatedly suspended, resumed and cancelled end correctly")
  func manySuspensions() async throws {
    let server = try TestServer { $0.reply("200 OK", [], Self.body) }
    for round in 0..<(isSanitized ? 4 : 20) {
      let pause = PromisePause()
      let responses = (0..<10).map { _ in
        patientSession.fetch(server.address("/\(round)"), task: NetworkTask(pause: pause))
      }
      for _ in 0..<5 {
        pause.suspend()
        pause.resume()
      }
      pause.suspend()
      for response in responses.prefix(round % 10) {
        response.requestCancel()
        // The response may be ending at this moment or may already have ended.
        #expect(await response.outcome() != nil)
      }
      pause.resume()
      for response in responses.dropFirst(round % 10) {
        #expect(await expectAnswer(response)?.data == Self.body)
      }
    }
  }

  @Test("10.2 the bytes are a progress that is complete only after a response")
  func bytes() async throws {
    let server = try TestServer { connection in
      connection.begin(of: Self.body.count, connection.path == "/whole" ? Self.body : Self.body.prefix(1000))
    }
    let whole = NetworkTask()
    let cut = NetworkTask()
    let both = PromiseProgress(combining: [(progress: whole.bytes, weight: 3), (progress: cut.bytes, weight: 1)])
    let (observed, log) = (Recorder<PromiseProgress.Step>(), Recorder<Step>())
    whole.bytes.onProgress(on: .immediate) { observed.record($0) }
    let response = patientSession.fetch(server.address("/whole"), task: whole) { log.record(Step($0, $1)) }
    #expect(await expectAnswer(response)?.data == Self.body)
    log.expectRise(to: Self.body.count)
    let steps = observed.entries
    let total = Int64(Self.body.count)
    #expect(zip(steps, steps.dropFirst()).allSatisfy { $0.completed <= $1.completed })
    #expect(steps.last?.completed == total && steps.last?.total == total && steps.last?.isFinished == true)
    #expect(!both.current.isFinished && both.current.fraction == 0.75)
    await expectError(patientSession.fetch(server.address("/cut"), task: cut))
    #expect(cut.bytes.current.isFinished && cut.bytes.current.completed == 1000)
    #expect(both.current.isFinished && (both.current.fraction ?? 1) < 1)
  }

  @Test(
    "10.2 an upload that is suspended while running arrives complete after it is resumed", arguments: [true, false])
  func suspendUpload(fromFile: Bool) async throws {
    let folder = try TemporaryFolder()
    let film = folder.file("film")
    let size = 20_000_000
    try Data(repeating: 7, count: size).write(to: film)
    let (begun, go) = (Signal(), Signal())
    let server = try TestServer { connection in
      begun.send()
      go.block()
      var count = 0
      if connection.readBody({ count += $0.count }) { connection.reply("200 OK", [], Data("\(count)".utf8)) }
    }
    let source = fromFile ? UploadSource.file(film) : .data(Data(repeating: 7, count: size))
    let task = NetworkTask()
    let upload = patientSession.upload(source, to: server.address(), task: task)
    await begun.wait()
    task.suspend()
    #expect(isStopped(task))
    go.send()
    task.resume()
    #expect(await expectAnswer(upload)?.text == "\(size)")
    let bytes = task.bytes.current
    #expect(bytes.completed == Int64(size) && bytes.fraction == 1 && bytes.isFinished)
  }

  @Test(
    "10.9 a released session answers its pending requests, even suspended ones, and is freed",
    arguments: [false, true])
  func sessionReleased(isSuspended: Bool) async throws {
    let (arrived, go) = (Signal(), Signal())
    let server = try TestServer { connection in
      arrived.send()
      go.block()
      connection.reply("200 OK", [], Data("late".utf8))
    }
    var session: NetworkSession? = NetworkSession(configuration: patientConfiguration)
    weak let gone = session
    let task = NetworkTask()
    if isSuspended { task.suspend() }
    let response = try #require(session?.fetch(server.address(), task: task))
    if !isSuspended { await arrived.wait() }
    session = nil
    if isSuspended { task.resume() }
    go.send()
    #expect(await expectAnswer(response)?.text == "late")
    await until("the end of the session") { gone == nil }
  }

  @Test("7.5 10.9 releasing a request's suspended pause cancels the request and frees its session")
  func dropped() async throws {
    let (begun, closed) = (Signal(), Signal())
    let server = try TestServer.hanging(begun, closed)
    var session: NetworkSession? = NetworkSession(configuration: patientConfiguration)
    weak let gone = session
    var pause: PromisePause? = PromisePause()
    let response = try #require(session?.fetch(server.address(), task: NetworkTask(pause: pause)))
    await begun.wait()
    pause?.suspend()
    session = nil
    pause = nil
    expectCancelled(response)
    await closed.wait()
    await until("the end of the session") { gone == nil }
  }
}
