import Foundation
import Overmorrow
import OvermorrowFoundation
import Testing

/// Cancelling, suspending and retrying requests.
@Suite(.inTurn) struct NetworkTaskTests {
  private static let body = Data((0..<4_000_000).map { UInt8(truncatingIfNeeded: $0 / 11) })

  enum Canceller: CaseIterable {
    case child, task, progress, suspended
  }

  @Test(
    "10.2 a request to cancel reaches the server and leaves no file behind, also when it is suspended",
    arguments: Canceller.allCases)
  func cancel(by canceller: Canceller) async throws {
    let folder = try TemporaryFolder()
    let (begun, closed) = (Signal(), Signal())
    let server = try TestServer.hanging(Signal(), closed) { connection in
      connection.sendHead("200 OK", ["Content-Length: 1000000"])
      connection.send(Data(count: 10_000))
    }
    let task = NetworkTask()
    let child = patientSession.download(server.address(), to: folder.file("it"), task: task) { completed, _ in
      if completed > 0 { begun.send() }
    }.map(on: .immediate) { $0.statusCode }
    await begun.wait()
    #expect(folder.names.count == 1 && folder.names.first?.hasSuffix(".part") == true)
    #expect(task.urlSessionTask != nil)
    switch canceller {
    case .suspended:
      task.suspend()
      child.requestCancel()
    case .child: child.requestCancel()
    case .task: task.cancel()
    case .progress: task.progress.cancel()
    }
    // Foundation on Linux calls the handlers of a progress a little later.
    if canceller == .progress { _ = await child.ended() }
    expectCancelled(child)
    #expect(folder.names == [] && task.urlSessionTask == nil)
    await closed.wait()
  }

  @Test("3.2 a request is cancelled when all who observe it have asked for that")
  func vote() async throws {
    let (begun, closed) = (Signal(), Signal())
    let server = try TestServer.hanging(begun, closed)
    let children = {
      let response = patientSession.fetch(server.address())
      return [0, 1].map { number in response.map(on: .immediate) { _ in number } }
    }()
    await begun.wait()
    children[0].requestCancel()
    expectPending(children[0])
    children[1].requestCancel()
    for child in children { expectCancelled(child) }
    await closed.wait()
  }

  @Test("10.2 a timeout gives the connection up")
  func timeout() async throws {
    let (arrived, closed) = (Signal(), Signal())
    let server = try TestServer.hanging(arrived, closed)
    let clock = TestClock()
    let limited = patientSession.fetch(server.address()).timeout(
      on: .immediate, .seconds(5), clock: clock)
    await arrived.wait()
    await clock.advance(by: .seconds(5))
    #expect(expectRejected(limited) is PromiseTimeoutError<any Error>)
    await closed.wait()
  }

  @Test(
    "10.2 suspended before its start, by its task or its pause, a request waits until it is resumed",
    arguments: [true, false])
  func suspendedStart(byPause: Bool) async throws {
    let server = try TestServer.answering("200 OK", [], "here")
    let pause = PromisePause()
    let task = NetworkTask(pause: pause)
    for _ in 0..<2 { byPause ? pause.suspend() : task.suspend() }
    let response = patientSession.fetch(server.address(), task: task)
    #expect(task.isSuspended && task.urlSessionTask == nil)
    expectPending(response)
    #expect(server.count == 0)
    byPause ? pause.resume() : task.resume()
    #expect(await expectAnswer(response)?.text == "here")
  }

  @Test("10.2 suspended in flight, a request goes on when it is resumed, and its body and its progress are whole")
  func suspendInFlight() async throws {
    let folder = try TemporaryFolder()
    let (half, go) = (Signal(), Signal())
    let server = try TestServer { connection in
      connection.sendHead("200 OK", ["Content-Length: \(Self.body.count)"])
      connection.send(Self.body.prefix(1_000_000))
      go.block()
      connection.send(Self.body.dropFirst(1_000_000))
    }
    let task = NetworkTask()
    let log = Recorder<Step>()
    let response = patientSession.download(server.address(), to: folder.file("it"), task: task) {
      log.record(Step($0, $1))
      if $0 >= 1_000_000 { half.send() }
    }
    await half.wait()
    task.suspend()
    #expect(task.isSuspended && task.urlSessionTask?.state != .running)
    go.send()
    task.resume()
    #expect(task.urlSessionTask?.state != .suspended)
    await expectAnswer(response)
    #expect(try Data(contentsOf: folder.file("it")) == Self.body)
    #expect(folder.names == ["it"])
    let steps = log.entries
    #expect(steps.last == Step(4_000_000, 4_000_000))
    #expect(zip(steps, steps.dropFirst()).allSatisfy { $0.completed < $1.completed })
  }

  @Test("10.2 cancelled before it is given to a request, a task cancels that")
  func cancelledTask() async throws {
    let task = NetworkTask()
    task.cancel()
    let response = patientSession.fetch("http://127.0.0.1:9/", task: task)
    expectCancelled(response)
  }

  @Test("10.1 10.12 attempts are made as the policy says, and progress does not go back between them")
  func retry() async throws {
    let attempts = Tally()
    let server = try TestServer { connection in
      attempts.add()
      connection.sendHead("200 OK", ["Content-Length: 100000"])
      connection.send(Data(repeating: 1, count: attempts.value < 3 ? 60_000 : 100_000))
    }
    let log = Recorder<Step>()
    let policy = PromiseRetryPolicy<any Error>(attempts: 5).onlyIf { ($0 as? NetworkError)?.isTransient == true }
    let response = await expectAnswer(
      patientSession.fetch(server.address(), retry: policy) { log.record(Step($0, $1)) })
    #expect(response?.data.count == 100_000 && attempts.value == 3)
    let steps = log.entries
    #expect(steps.last == Step(100_000, 100_000))
    #expect(zip(steps, steps.dropFirst()).allSatisfy { $0.completed < $1.completed })
  }

  @Test("10.3 a request that cannot be sent is tried once")
  func noRetry() async throws {
    let asked = Tally()
    let policy = PromiseRetryPolicy<any Error>(attempts: 5).onlyIf { _ in
      asked.add()
      return true
    }
    await expectError(patientSession.fetch("nowhere", retry: policy))
    #expect(asked.value == 0)
  }

  @Test("10.10 a Progress shows how far a request has come, and pauses it")
  func progress() async throws {
    let server = try TestServer { $0.reply("200 OK", [], Self.body) }
    let task = NetworkTask()
    let progress = task.progress
    #expect(progress === task.progress && progress.isIndeterminate)
    progress.pause()
    await becomes(true) { task.isSuspended }
    let response = patientSession.fetch(server.address(), task: task)
    expectPending(response)
    progress.resume()
    await expectAnswer(response)
    #expect(!task.isSuspended)
    #expect(progress.totalUnitCount == 4_000_000 && progress.completedUnitCount == 4_000_000)
    #expect(progress.isFinished)
  }

  @Test("10.2 many cancelled requests, some of them redirected, do no harm")
  func manyCancels() async throws {
    let server = try TestServer { connection in
      connection.reply("302 Found", ["Location: /again"], Data(count: 1000))
    }
    for round in 0..<(isSanitized ? 5 : 20) {
      let responses = (0..<20).map { _ in patientSession.fetch(server.address("/\(round)")) }
      if round % 2 == 0 { _ = await responses[0].ended() }
      for (index, response) in responses.enumerated() {
        // At various moments: while it begins, while it ends, and in between.
        for _ in 0..<(index * 7 + round) % 9 { sched_yield() }
        response.requestCancel()
      }
      for response in responses { _ = await response.ended() }
    }
  }
}
