import Testing

@testable import Overmorrow
@testable import OvermorrowEngine

extension StressTests {
  /// Rounds in which the steps of one thread run inside a step of another thread.
  @Suite struct RaceSearchTests {
    @Test("3.1 3.12 the model explains a promise that is fulfilled between two handlers of one request")
    func fulfilledBetweenHandlers() {
      expectExplained(handlersOn: [.immediate, .executor], by: [.resolve(0, .value)])
    }

    @Test("3.1 3.12 the model explains a promise that is fulfilled before its handler reaches the context")
    func fulfilledBeforeSubmission() {
      expectExplained(handlersOn: [.executor], by: [.resolve(0, .value), .runNext])
    }

    @Test("a wait for the queues ends while other code always hands over work")
    func busyNeighbour() {
      HandOverCount.start()
      defer { HandOverCount.stop() }
      let isOver = Guarded(false)
      // A callback hands over the next one before it ends, so there is always work.
      @Sendable func goOn() {
        Promise<Void, Never>(fulfilled: ()).tap(on: .utility) { _ in
          if !isOver.withLock({ $0 }) { goOn() }
        }
      }
      goOn()
      let machine = RaceMachine<EngineWorld>(RaceRound(seed: 0, threads: 2))
      let world = EngineWorld(events: machine)
      let began = ContinuousClock.now
      world.waitForQueues()
      isOver.withLock { $0 = true }
      #expect(ContinuousClock.now - began < .seconds(30))
    }

    /// Runs steps inside a request to cancel a promise with handlers: in its first handler, or before that is submitted.
    /// Expects that the model explains the outcome.
    private func expectExplained(handlersOn contexts: [ContextKind], by steps: [ProgramStep]) {
      let round = RaceRound(
        seed: 0,
        building: Program(steps: [.makePromise] + contexts.map { .onRequestCancel(0, on: $0, script: []) }),
        threads: [Program(steps: steps), Program(steps: [.requestCancel(0)])])
      HandOverCount.start()
      defer { HandOverCount.stop() }
      let machine = RaceMachine<EngineWorld>(round)
      machine.yield = { [unowned machine] in
        machine.yield = {}
        for step in steps.indices { machine.perform(step, of: 0) }
      }
      machine.perform(0, of: 1)
      let outcome = machine.finish()
      let inner = steps.indices.map { RaceTimes(began: 2 * $0 + 2, ended: 2 * $0 + 3) }
      let search = RaceSearch(round, [inner, [RaceTimes(began: 1)]])
      #expect(search.explains(outcome, most: 1000), "\(outcome), closest: \(String(describing: search.closest))")
    }
  }
}
