import Foundation
import Testing

@testable import Overmorrow
@testable import OvermorrowEngine

extension StressTests {
  /// Threads perform random steps on one graph of promises. The model must have the same outcome for some order of the
  /// steps.
  ///
  /// `OVERMORROW_ROUNDS` sets the number of rounds. With `OVERMORROW_SEED`, all rounds use that seed.
  @Suite struct RandomRaceTests {
    @Test(
      "1-6 concurrent operations have the outcome of some sequential order, and leave nothing behind",
      arguments: [2, 3, 4])
    func agreement(threads: Int) async {
      let environment = ProcessInfo.processInfo.environment
      let seed = environment["OVERMORROW_SEED"].flatMap { UInt64($0) }
      let rounds = environment["OVERMORROW_ROUNDS"].flatMap { Int($0) }
      let number = Guarded<UInt64>(0)
      let make: @Sendable () -> Racing = {
        let next = number.withLock { number in
          number += 1
          return number
        }
        let seed = seed ?? UInt64(threads) * 1_000_000_000 + next
        return Racing(RaceRound(seed: seed, threads: threads))
      }
      let contestants = (0..<threads).map { thread in { @Sendable (racing: Racing) in racing.run(thread) } }
      HandOverCount.start()
      defer { HandOverCount.stop() }
      let time: Duration = rounds == nil ? .seconds(1) : .seconds(3600)
      await race(rounds: rounds ?? 500, within: time, make, contestants) { $0.finding }
    }
  }
}

/// A running round.
private final class Racing: @unchecked Sendable {
  // Sendable because the times of all threads are behind a lock, and each hand of the machine is used by one thread.
  private let round: RaceRound
  private let machine: RaceMachine<EngineWorld>
  private let clock = Atomic(0)
  private let times: Guarded<[[RaceTimes]]>

  init(_ round: RaceRound) {
    self.round = round
    machine = RaceMachine(round)
    times = Guarded(round.threads.map { $0.steps.map { _ in RaceTimes() } })
  }

  func run(_ thread: Int) {
    for step in 0..<machine.length(of: thread) {
      // Relaxed because the clock orders no other memory accesses.
      let began = clock.add(1, ordering: .relaxed).newValue
      machine.perform(step, of: thread)
      let ended = clock.add(1, ordering: .relaxed).newValue
      times.withLock { $0[thread][step] = RaceTimes(began: began, ended: ended) }
    }
  }

  /// A fault, checked after all threads have run.
  var finding: String? {
    let outcome = machine.finish()
    let times = times.withLock { $0 }
    let search = RaceSearch(round, times)
    if search.explains(outcome, most: 10_000) { return nil }
    let timing = times.enumerated().map { "\($0.offset): \($0.element.map { "\($0.began)-\($0.ended)" })" }
    return """
      seed \(round.seed), unexplained after \(search.tries) orders
      engine:
      \(outcome)
      model, at its closest:
      \(search.closest.map { "\($0)" } ?? "")
      of \(round)
      times: \(timing.joined(separator: "; "))
      """
  }
}
