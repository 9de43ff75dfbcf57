import Dispatch
import Testing

@testable import Overmorrow
@testable import OvermorrowFlow

/// The release of a pause, and nested pauses.
@Suite(.inTurn) struct PauseReleasingTests {
  private let pause = PromisePause()

  // MARK: Release

  @Test("7.5 a pause released while suspended drops its waiting, submitted and later callbacks")
  func dropped() {
    let (tracker, context, calls) = (Tracker(), ManualContext(), Counter())
    let (root, resolver) = Subject.makeWithResolver()
    func step(_ source: Subject, _ context: PromiseContext) -> Subject {
      source.map(on: context, tracker.work { $0 + calls.increment() })
    }
    var pause: PromisePause? = PromisePause()
    let (paused, here) = (context.context.paused(by: pause!), PromiseContext.immediate.paused(by: pause!))
    let queued = step(Subject(fulfilled: 1), paused)
    pause?.suspend()
    let waiting = step(Subject(fulfilled: 1), here)
    let observer = Subject(fulfilled: 1).then(on: here) { _ in calls.increment() }
    let behind = step(waiting, .immediate)
    let later = step(root, here)
    let body = Subject(on: here) { $0.fulfill(with: calls.increment()) }
    pause = nil
    #expect([waiting.result, behind.result, body.result] == [.cancelled, .cancelled, .cancelled])
    #expect(observer.result == .value(1))
    context.runAll()
    resolver.fulfill(with: 1)
    #expect([queued.result, later.result] == [.cancelled, .cancelled])
    #expect((calls.count, tracker.count) == (0, 0))
  }

  @Test("7.5 a pause that is released while not suspended has no further effect")
  func releasedOpen() {
    let context = ManualContext()
    var pause: PromisePause? = PromisePause()
    let paused = context.context.paused(by: pause!)
    let queued = Subject(fulfilled: 1).map(on: paused) { $0 + 1 }
    pause?.suspend()
    pause?.resume()
    pause = nil
    let later = queued.map(on: paused) { $0 + 1 }
    context.runAll()
    #expect(later.result == .value(3))
  }

  @Test("7.5 a callback dropped by its executor under a pause cancels its promise")
  func dropping() {
    pause.suspend()
    let dropped = Subject(fulfilled: 1).map(on: .executor(DroppingExecutor()).paused(by: pause)) { $0 + 1 }
    let next = Subject(fulfilled: 1).map(on: .immediate.paused(by: pause)) { $0 + 1 }
    pause.resume()
    #expect((dropped.result, next.result) == (.cancelled, .value(2)))
  }

  @Test("7.5 11.4 a callback that its executor drops may use its pause when it is released")
  func droppedCallbackReenters() async throws {
    // On another thread, which would deadlock if the callback were released under a lock.
    let calls = try await onOwnThread("the callback to be released") { [pause] in
      let (calls, (gate, resolver)) = (Counter(), Subject.makeWithResolver())
      gate.onCancel(on: .immediate.paused(by: pause)) { calls.increment() }
      pause.suspend()
      let context = PromiseContext.executor(DroppingExecutor()).paused(by: pause)
      Subject(fulfilled: 1).then(on: context) { [resolver = consume resolver] in resolver.fulfill(with: $0) }
      pause.resume()
      return calls.count
    }
    #expect(calls == 1)
  }

  @Test("7.5 a callback under a pause that captures its own promise is released with both")
  func cycles() {
    let tracker = Tracker()
    for isSuspended in [true, false] {
      let pause = PromisePause()
      if isSuspended { pause.suspend() }
      let (root, resolver) = Subject.makeWithResolver()
      let step = root.then(on: .immediate.paused(by: pause), tracker.work { _ in withExtendedLifetime(root) {} })
      if isSuspended { resolver.fulfill(with: 1) }
      withExtendedLifetime((pause, step)) {}
    }
    #expect(tracker.count == 0)
  }

  @Test("7.5 7.6 attached work that is released with its pause may use the pause's contexts")
  func releasedWork() async {
    let (released, (promise, resolver)) = (Latch(), Subject.makeWithResolver())
    // On another thread, which would deadlock if the work were released under a lock.
    DispatchQueue.global().async {
      let pause = PromisePause()
      let context = PromiseContext.immediate.paused(by: pause)
      let object = Tracker().make { Subject(fulfilled: 1).then(on: context) { _ in released.signal() } }
      pause.attach(SuspendableProbe(keeping: object), until: promise)
    }
    await released.wait(for: "the work to be released")
    resolver.cancel()
  }

  // MARK: Nested pauses

  @Test("7.9 a nested pause is suspended while it or the outer pause is")
  func within() {
    let inner = PromisePause(within: pause)
    let step = { Subject(fulfilled: 1).map(on: .immediate.paused(by: inner)) { $0 + 1 } }
    pause.suspend()
    let first = step()
    #expect((inner.isSuspended, first.result) == (true, nil))
    inner.suspend()
    pause.resume()
    #expect((pause.isSuspended, inner.isSuspended, first.result) == (false, true, nil))
    inner.resume()
    #expect((inner.isSuspended, first.result) == (false, .value(2)))
    pause.suspend()
    inner.resume()
    #expect(inner.isSuspended && PromisePause(within: pause).isSuspended)
  }

  @Test("7.5 7.9 a nested pause drops callbacks when the outer one is released while suspended")
  func withinDropped() {
    var outer: PromisePause? = PromisePause()
    outer?.suspend()
    let inner = PromisePause(within: outer)
    let step = Subject(fulfilled: 1).map(on: .immediate.paused(by: inner)) { $0 + 1 }
    outer = nil
    #expect(step.result == .cancelled)
    inner.resume()
    #expect(Subject(fulfilled: 1).map(on: .immediate.paused(by: inner)) { $0 + 1 }.result == .cancelled)
  }

  @Test("7.9 a callback on a context with several pauses waits for all of them")
  func several() {
    let other = PromisePause()
    pause.suspend()
    other.suspend()
    let step = Subject(fulfilled: 1).map(on: .immediate.paused(by: pause).paused(by: other)) { $0 + 1 }
    pause.resume()
    #expect(step.result == nil)
    pause.suspend()
    other.resume()
    #expect(step.result == nil)
    pause.resume()
    #expect(step.result == .value(2))
  }
}
