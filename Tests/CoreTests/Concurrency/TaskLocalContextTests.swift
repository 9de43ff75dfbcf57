import Overmorrow
import OvermorrowFlow
import Testing

/// Contexts that carry a task-local value.
@Suite(.inTurn) struct TaskLocalContextTests {
  private enum Request {
    @TaskLocal static var id = 0
    @TaskLocal static var user = "nobody"
  }

  @Test("2.27 a callback sees the task-local value of its registration on every context")
  func callbacks() async throws {
    let manual = ManualContext()
    for context in [
      PromiseContext.immediate, .utility, .main, .actor(MainActor.shared), .nowOr(.default), manual.context,
    ] {
      let (promise, resolver) = Promise<Int, any Error>.makeWithResolver()
      let seen = Request.$id.withValue(7) {
        promise.map(on: context.carrying(Request.$id)) { _ in Request.id }
          .map(on: context == .immediate ? .utility : context) { [$0, Request.id] }
      }
      Request.$id.withValue(8) { resolver.fulfill(with: 1) }
      if context == manual.context { manual.runAll() }
      let ids = try await seen.value
      #expect(ids[0] == 7, "\(context)")
      #expect(ids[1] != 7, "\(context)")
    }
  }

  @Test("2.27 a body and a job of a limiter see several carried values")
  func bodies() async throws {
    let limiter = PromiseLimiter(width: 1)
    let (body, job) = Request.$id.withValue(7) {
      Request.$user.withValue("Ada") {
        let context = PromiseContext.utility.carrying(Request.$id).carrying(Request.$user)
        return (
          Promise<String, any Error>(on: context) { $0.fulfill(with: "\(Request.user) \(Request.id)") },
          limiter.run(on: context) { Promise<String, any Error>(fulfilled: "\(Request.user) \(Request.id)") }
        )
      }
    }
    #expect(try await [body.value, job.value] == ["Ada 7", "Ada 7"])
  }

  @Test("2.27 a callback on a paused context sees the carried value after resume()")
  func paused() async throws {
    let pause = PromisePause()
    pause.suspend()
    let seen = Request.$id.withValue(7) {
      Promise<Int, any Error>(fulfilled: 1).map(on: .utility.carrying(Request.$id).paused(by: pause)) { _ in Request.id
      }
    }
    expectPending(seen)
    pause.resume()
    #expect(try await seen.value == 7)
  }

  @Test("2.27 a callback that the context drops cancels its promise")
  func dropped() async {
    let context = PromiseContext.executor(DroppingExecutor()).carrying(Request.$id)
    expectCancelled(Promise<Int, any Error>(fulfilled: 1).map(on: context) { $0 })
  }
}
