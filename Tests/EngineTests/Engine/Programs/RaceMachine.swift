@testable import Overmorrow
@testable import OvermorrowEngine

/// Runs a round in a world, and records what can be observed.
final class RaceMachine<World: ProgramWorld>: ProgramEvents, @unchecked Sendable {
  // Sendable because each hand is used by one thread, and shared state is behind a lock.
  private let round: RaceRound
  // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
  // The initialiser of its world takes this machine; released at the end.
  private var builder: ProgramHand<World>!
  private var hands: [ProgramHand<World>] = []
  /// The promise of each callback whose order is checked.
  private var sources: [Int: Int] = [:]
  private let outcome = Guarded(RaceOutcome())

  /// Called where another thread may intervene.
  var yield: () -> Void = {}

  init(_ round: RaceRound) {
    self.round = round
    builder = ProgramHand(World(events: self), allowsCycles: false)
    for step in round.building.steps {
      builder.perform(step)
      builder.world.waitForQueues()
    }
    sources = builder.sources
    hands = builder.deal(among: round.threads.count)
  }

  func length(of thread: Int) -> Int { round.threads[thread].steps.count }

  /// Performs one step of a thread.
  func perform(_ step: Int, of thread: Int) { hands[thread].perform(round.threads[thread].steps[step]) }

  /// Ends everything on one thread after the threads have finished.
  func finish() -> RaceOutcome {
    builder.world.waitForQueues()
    builder.collect(hands)
    let view = builder.view
    outcome.withLock { $0.afterwards = view }
    while builder.world.waitingWork > 0 {
      builder.world.runNext()
      builder.world.waitForQueues()
    }
    let leaks = builder.dropAll(by: round.seed, afterEach: builder.world.waitForQueues)
    (hands, builder) = ([], nil)
    outcome.withLock { $0.leaks = leaks }
    return outcome.withLock { $0 }
  }

  func callbackRuns(_ callback: Int, with result: ProgramResult?) {
    outcome.withLock { outcome in
      let events = outcome.afterwards == nil ? \RaceOutcome.raced : \.ending
      outcome[keyPath: events][.callback(callback, result), default: 0] += 1
      if let source = sources[callback] { outcome.order[source, default: []].append(callback) }
    }
    mayBeInterrupted()
  }

  func mayBeInterrupted() { yield() }
  func leavesRestToQueue() {}
}

extension RaceMachine<ModelWorld> {
  /// Whether a global queue has work left for the world.
  var canContinueOnQueue: Bool { builder.world.canContinueOnQueue }

  func continueOnQueue() { builder.world.continueOnQueue() }
}
