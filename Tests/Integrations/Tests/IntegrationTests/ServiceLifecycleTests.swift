import Logging
import Overmorrow
import OvermorrowFlow
import OvermorrowServiceLifecycle
import OvermorrowTesting
import ServiceLifecycle
import ServiceLifecycleTestKit
import Testing

@Suite(.timeLimit(.minutes(5))) struct ServiceLifecycleTests {
  private let gate = PromiseGate()
  private let clock = TestClock()

  @Test("19.7 a graceful shutdown closes the gate, and the service waits for the running work")
  func waits() async {
    let (first, second) = (Work<Int, any Error>(), Work<Int, any Error>())
    let running = [first, second].map { work in gate.run { work.promise } }
    await testGracefulShutdown { trigger in
      async let left = {
        await PromiseGateService(gate, cancellingAfter: .seconds(10), clock: clock).run()
        return gate.runningCount
      }()
      trigger.triggerGracefulShutdown()
      // The timer of the deadline shows that the gate is closed.
      await clock.waitForSleepers(1, within: waitLimit)
      await #expect(throws: PromiseRefusalError.gateClosed) { try await gate.perform {} }
      first.resolver.fulfill(with: 1)
      // A service that does not wait for the second work has returned after these turns of the other tasks.
      for _ in 0..<100 { await Task.yield() }
      second.resolver.fulfill(with: 2)
      #expect(await left == 0)
    }
    for each in running { await expectFulfilled(each, within: waitLimit) }
  }

  @Test("19.7 at the deadline after a graceful shutdown, the running work is asked to cancel")
  func deadline() async {
    let work = Work<Int, any Error>()
    work.resolver.onRequestCancel(on: .immediate) { $0.cancel() }
    let running = gate.run { work.promise }
    await testGracefulShutdown { trigger in
      async let ended: Void = PromiseGateService(gate, cancellingAfter: .seconds(10), clock: clock).run()
      trigger.triggerGracefulShutdown()
      await clock.waitForSleepers(1, within: waitLimit)
      await clock.advance(by: .seconds(9))
      #expect(gate.runningCount == 1)
      await clock.advance(by: .seconds(1))
      await ended
    }
    await expectCancelled(running, within: waitLimit)
  }

  @Test("19.7 a cancelled service asks the running work to cancel, and waits for its end")
  func cancelled() async {
    let (work, (asked, wasAsked)) = (Work<Int, any Error>(), Promise<Void, Never>.makeWithResolver())
    work.resolver.onRequestCancel(on: .immediate) { _ in wasAsked.fulfill(with: ()) }
    let running = gate.run { work.promise }
    let service = Task { [gate] in
      await PromiseGateService(gate).run()
      return gate.runningCount
    }
    service.cancel()
    await expectFulfilled(asked, within: waitLimit)
    #expect(gate.isClosed && gate.runningCount == 1)
    work.resolver.fulfill(with: 1)
    #expect(await service.value == 0)
    await expectFulfilled(running, within: waitLimit)
  }

  /// A service that work of the gate uses.
  private struct Database: Service {
    let gate: PromiseGate
    let began = Work<Void, Never>()
    let runningAtShutdown = Work<Int, Never>()
    let wasCancelled = Work<Void, Never>()

    func run() async throws {
      began.resolver.fulfill(with: ())
      do {
        try await gracefulShutdown()
      } catch {
        wasCancelled.resolver.fulfill(with: ())
        throw error
      }
      runningAtShutdown.resolver.fulfill(with: gate.runningCount)
    }
  }

  private let logger = Logger(label: "services", factory: { _ in SwiftLogNoOpLogHandler() })

  @Test("19.7 a group ends the work of a gate before earlier services shut down")
  func group() async throws {
    let (database, work) = (Database(gate: gate), Work<Int, any Error>())
    let running = gate.run { work.promise }
    let group = ServiceGroup(
      services: [database, PromiseGateService(gate, cancellingAfter: .seconds(10), clock: clock)], logger: logger)
    async let ended: Void = group.run()
    await expectFulfilled(database.began.promise, within: waitLimit)
    await group.triggerGracefulShutdown()
    await clock.waitForSleepers(1, within: waitLimit)
    #expect(database.runningAtShutdown.promise.result == nil)
    work.resolver.fulfill(with: 1)
    try await ended
    #expect(await expectFulfilled(database.runningAtShutdown.promise, within: waitLimit) == 0)
    await expectFulfilled(running, within: waitLimit)
  }

  /// A service that ends by itself, before its turn.
  private struct Early: Service {
    let end: Promise<Void, Never>

    func run() async throws { _ = await end.finalResult }
  }

  @Test("19.7 the deadline of a gate holds when a group cancels its services")
  func neighbour() async throws {
    let (early, work) = (Promise<Void, Never>.makeWithResolver(), Work<Int, any Error>())
    let wasAsked = Promise<Void, Never>.makeWithResolver()
    work.resolver.onRequestCancel(on: .immediate) { _ in wasAsked.resolver.fulfill(with: ()) }
    let running = gate.run { work.promise }
    let database = Database(gate: gate)
    let group = ServiceGroup(
      services: [
        database, Early(end: early.promise), PromiseGateService(gate, cancellingAfter: .seconds(10), clock: clock),
      ], logger: logger)
    let ended = Task { try await group.run() }
    await expectFulfilled(database.began.promise, within: waitLimit)
    await group.triggerGracefulShutdown()
    await clock.waitForSleepers(1, within: waitLimit)
    early.resolver.fulfill(with: ())
    await expectFulfilled(database.wasCancelled.promise, within: waitLimit)
    #expect(wasAsked.promise.result == nil)
    await clock.advance(by: .seconds(10))
    await expectFulfilled(wasAsked.promise, within: waitLimit)
    work.resolver.fulfill(with: 1)
    await #expect(throws: ServiceGroupError.self) { try await ended.value }
    await expectFulfilled(running, within: waitLimit)
  }

  @Test("the guide's group ends after a graceful shutdown")
  func guide() async throws {
    let database = Database(gate: gate)
    let group = ServiceGroup(
      services: [database, PromiseGateService(gate, cancellingAfter: .seconds(10))], logger: logger)
    async let shutDown: Void = {
      await expectFulfilled(database.began.promise, within: waitLimit)
      await group.triggerGracefulShutdown()
    }()
    try await group.run()
    await shutDown
    #expect(gate.isClosed)
  }
}
