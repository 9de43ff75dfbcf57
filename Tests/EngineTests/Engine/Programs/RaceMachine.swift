@testable import Overmorrow

/// Runs a round in a world, and writes down what can be seen of it.
final class RaceMachine<World: ProgramWorld>: ProgramEvents, @unchecked Sendable {
  // Sendable: the hands are used by one thread each, and what all use is behind a lock.
  private struct Notes: Sendable {
    var outcome = RaceOutcome()
    var isOver = false

    mutating func note(_ event: RaceEvent) {
      if isOver { outcome.ending[event, default: 0] += 1 } else { outcome.raced[event, default: 0] += 1 }
    }
  }

  // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
  // It is given this machine, and goes at the end.
  private(set) var world: World!
  private let round: RaceRound
  // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
  // So does this.
  private var builder: ProgramHand<World>!
  private var hands: [ProgramHand<World>] = []
  /// Which promise the callbacks were registered on whose order counts.
  private var sources: [Int: Int] = [:]
  private let notes = Guarded(Notes())

  /// Called where another thread may come in between.
  var yield: () -> Void = {}

  init(_ round: RaceRound) {
    self.round = round
    world = World(events: self)
    builder = ProgramHand(world, allowsCycles: false)
    for step in round.building.steps { builder.perform(step) }
    sources = builder.sources
    hands = builder.deal(among: round.threads.count)
  }

  func length(of thread: Int) -> Int { round.threads[thread].steps.count }

  /// Performs one step of a thread.
  func perform(_ step: Int, of thread: Int) { hands[thread].perform(round.threads[thread].steps[step]) }

  /// The threads are done: ends everything, on one of them.
  func finish() -> RaceOutcome {
    world.waitForQueues()
    builder.collect(hands)
    let view = builder.view
    notes.withLock { notes in
      notes.isOver = true
      notes.outcome.afterwards = view
    }
    while world.waitingWork > 0 { world.runNext() }
    var generator = SeededGenerator(seed: round.seed)
    repeat {
      while !(builder.isEmpty && world.waitingWork == 0) {
        let number = Int.random(in: 0..<1000, using: &generator)
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: builder.perform(.dropPromise(number))
        case 1: builder.perform(.dropResolver(number))
        case 2: builder.perform(.dropToken(number))
        default: builder.perform(.runNext)
        }
      }
    } while world.askUnresolved()
    let leaks = world.leaks
    hands = []
    (builder, world) = (nil, nil)
    return notes.withLock { notes in
      notes.outcome.leaks = leaks
      return notes.outcome
    }
  }

  func callbackRuns(_ callback: Int, with result: ProgramResult?) {
    notes.withLock { notes in
      notes.note(RaceEvent(callback: callback, result: result))
      if let source = sources[callback] { notes.outcome.order[source, default: []].append(callback) }
    }
    mayBeInterrupted()
  }

  func mayBeInterrupted() { yield() }
  func goesOnElsewhere() {}
}
