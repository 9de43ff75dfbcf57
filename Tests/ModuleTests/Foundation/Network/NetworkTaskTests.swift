import Foundation
import Overmorrow
import OvermorrowFlow
import OvermorrowFoundation
import Testing

/// Cancelling, suspending and retrying requests.
@Suite(.inTurn) struct NetworkTaskTests {
  enum Canceller: CaseIterable {
    case child, task, progress, suspended
  }

  @Test("10.2 a request to cancel reaches the server and leaves no file behind", arguments: Canceller.allCases)
  func cancel(by canceller: Canceller) async throws {
    let folder = try TemporaryFolder()
    let (begun, closed) = (Signal(), Signal())
    let server = try TestServer.hanging(Signal(), closed) { $0.begin(of: 1_000_000, Data(count: 10_000)) }
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
    // Foundation on Linux calls the handlers of a progress slightly later.
    if canceller == .progress { _ = await child.outcome() }
    expectCancelled(child)
    #expect(folder.names == [] && task.urlSessionTask == nil)
    await closed.wait()
  }

  enum Resumption: CaseIterable {
    case byTask, byPause, endOfTask
  }

  @Test(
    "10.2 10.5 a request suspended before its start waits until resumption or its task's release",
    arguments: Resumption.allCases)
  func suspendedStart(resumption: Resumption) async throws {
    let server = try TestServer.answering("200 OK", [], "here")
    let pause = PromisePause()
    var task: NetworkTask? = NetworkTask(pause: pause)
    for _ in 0..<2 { resumption == .byPause ? pause.suspend() : task?.suspend() }
    let response = patientSession.fetch(server.address(), task: task ?? NetworkTask())
    #expect(task?.isSuspended == true && task?.urlSessionTask == nil)
    expectPending(response)
    #expect(server.count == 0)
    switch resumption {
    case .byTask: task?.resume()
    case .byPause: pause.resume()
    case .endOfTask: task = nil
    }
    #expect(await expectAnswer(response)?.text == "here")
  }

  @Test("10.2 a task that is cancelled before it is used cancels its request")
  func cancelledTask() async throws {
    let task = NetworkTask()
    task.cancel()
    let response = patientSession.fetch("http://127.0.0.1:9/", task: task)
    expectCancelled(response)
  }

  @Test("10.3 a request that cannot be sent is attempted once")
  func noRetry() async throws {
    let asked = Tally()
    let policy = PromiseRetryPolicy<any Error>(attempts: 5).onlyIf { _ in
      asked.add()
      return true
    }
    await expectError(patientSession.fetch("nowhere", retry: policy))
    #expect(asked.value == 0)
  }

  @Test("10.10 a Progress shows a request and pauses it, even after its task's release")
  func progress() async throws {
    let body = Data(repeating: 7, count: 4_000_000)
    let server = try TestServer { $0.reply("200 OK", [], body) }
    var task: NetworkTask? = NetworkTask()
    let progress = try #require(task?.progress)
    #expect(progress === task?.progress && progress.isIndeterminate)
    progress.pause()
    await until("the pause") { task?.isSuspended == true }
    let response = patientSession.fetch(server.address(), task: task ?? NetworkTask())
    task = nil
    expectPending(response)
    #expect(server.count == 0)
    progress.resume()
    #expect(await expectAnswer(response)?.data == body)
    #expect(progress.totalUnitCount == 4_000_000 && progress.completedUnitCount == 4_000_000)
    #expect(progress.isFinished)
  }

  @Test("10.2 many cancelled requests, some of them redirected, all end")
  func manyCancels() async throws {
    let server = try TestServer { connection in
      connection.reply("302 Found", ["Location: /again"], Data(count: 1000))
    }
    for round in 0..<(isSanitized ? 5 : 20) {
      let responses = (0..<20).map { _ in patientSession.fetch(server.address("/\(round)")) }
      if round % 2 == 0 { _ = await responses[0].outcome() }
      for (index, response) in responses.enumerated() {
        // Delays by varying amounts, to hit the start, the end and moments in between.
        for _ in 0..<(index * 7 + round) % 9 { sched_yield() }
        response.requestCancel()
      }
      for response in responses { _ = await response.outcome() }
    }
  }
}
