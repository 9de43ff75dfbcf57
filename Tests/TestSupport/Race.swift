internal import Foundation
internal import Overmorrow
package import Testing

/// Runs contestants in parallel, each on its own thread. All of them start each round together.
///
/// The test fails if `check` reports a fault for a round.
///
/// - Parameters:
///   - rounds: The largest number of rounds.
///   - time: The time after which no new round starts, of which ``work`` is a share. There is always at least one round.
///   - make: Makes the object that the contestants of a round share.
///   - contestants: The closures that run in parallel.
///   - check: Checks a finished round, and returns a description of its fault, or `nil`.
package func race<Round: Sendable>(
  rounds: Int, within time: Duration = .milliseconds(500), _ make: @escaping @Sendable () -> Round,
  _ contestants: [@Sendable (Round) -> Void], sourceLocation: SourceLocation = #_sourceLocation,
  check: @escaping @Sendable (Round) -> String?
) async {
  await raceTrack.enter()
  defer { raceTrack.leave() }
  let barrier = SpinBarrier(contestants.count)
  let shared = Holder<Round>()
  let findings = Recorder<String>()
  let done = Latch(contestants.count)
  let deadline = ContinuousClock.now.advanced(by: time * work)
  for (index, contestant) in contestants.enumerated() {
    let thread = Thread {
      for number in 0..<rounds {
        if index == 0, number == 0 || ContinuousClock.now < deadline { shared.value = make() }
        barrier.wait()
        guard run(contestant, with: shared, after: (number &* 31 &+ index &* 17) % 61) else { break }
        barrier.wait()
        if index == 0, let round = shared.take(), let finding = check(round) {
          findings.record("round \(number): \(finding)")
        }
      }
      done.signal()
    }
    thread.start()
  }
  await done.wait(
    for: "\(contestants.count) threads to race \(rounds) times", within: .seconds(60 + Int(time.components.seconds)))
  let entries = findings.entries
  if !entries.isEmpty {
    Issue.record(
      "\(entries.count) findings:\n\(entries.prefix(10).joined(separator: "\n"))", sourceLocation: sourceLocation)
  }
}

/// Like the function above, with the contestants as separate arguments.
package func race<Round: Sendable>(
  rounds: Int, within time: Duration = .milliseconds(500), _ make: @escaping @Sendable () -> Round,
  _ contestants: @Sendable (Round) -> Void..., sourceLocation: SourceLocation = #_sourceLocation,
  check: @escaping @Sendable (Round) -> String?
) async {
  await race(rounds: rounds, within: time, make, contestants, sourceLocation: sourceLocation, check: check)
}

/// Blocks the calling thread until a condition that other threads bring about holds. Returns `false` after a minute.
package func waitUntil(_ condition: () -> Bool) -> Bool {
  let end = ContinuousClock.now.advanced(by: .seconds(60))
  while !condition() {
    if ContinuousClock.now > end { return false }
    sched_yield()
  }
  return true
}

/// Admits one race at a time, because threads that spin for each other need the processors.
private let raceTrack = Turnstile(width: 1)

/// Runs a contestant and returns whether there was a round left to run. No reference to the round is left on this
/// thread when this function returns.
@inline(never)
private func run<Round>(_ contestant: (Round) -> Void, with round: Holder<Round>, after spins: Int) -> Bool {
  guard let round = round.value else { return false }
  // The threads leave the barrier in a fairly fixed order; a few idle iterations vary it.
  let idle = Counter()
  for _ in 0..<spins { idle.increment() }
  contestant(round)
  return true
}

/// A barrier that releases its threads when all have arrived. The threads spin, so that they leave together.
private final class SpinBarrier: Sendable {
  private let size: Int
  private let arrived = Counter()
  private let generation = Counter()

  init(_ size: Int) { self.size = size }

  func wait() {
    let before = generation.count
    if arrived.increment() == size {
      arrived.increment(by: -size)
      generation.increment()
      return
    }
    var turns = 0
    while generation.count == before {
      turns += 1
      if turns > 500 { sched_yield() }
    }
  }
}

/// A record of an observer that has run, and of its thread.
package struct Started: Sendable {
  package let number: Int
  /// The index of the thread that registered the observer.
  package let registering: Int
  package let thread: ObjectIdentifier

  /// Creates the record of the observer that is running.
  package init(_ number: Int, registeredBy registering: Int = 0) {
    self.number = number
    self.registering = registering
    thread = currentThread
  }
}

extension Recorder where Entry == Started {
  /// Returns a fault unless each observer of each registering thread has run once, and all were started in the order of
  /// their registration.
  ///
  /// An observer may record itself after a later one of the same registering thread only if it was started before, on
  /// another thread, and is the next observer that this other thread records.
  package func startFault(_ count: Int, threads: Int = 1) -> String? {
    let entries = entries
    for registering in 0..<threads {
      let numbers = entries.filter { $0.registering == registering }.map(\.number)
      if numbers.sorted() != Array(0..<count) { return "the observers ran: \(numbers)" }
    }
    for (place, late) in entries.enumerated() {
      for (earlyPlace, early) in entries[..<place].enumerated()
      where early.registering == late.registering && early.number > late.number {
        let between = entries[earlyPlace..<place]
        if early.thread == late.thread || between.contains(where: { $0.thread == late.thread }) {
          return "overtaken: \(entries.map { ($0.registering, $0.number, $0.thread.hashValue % 1000) })"
        }
      }
    }
    return nil
  }

  /// Returns a fault unless each observer has run once, sequentially and in the order of registration.
  package func orderFault(_ count: Int) -> String? {
    let numbers = entries.map(\.number)
    return numbers == Array(0..<count) ? nil : "observers ran in the order \(numbers)"
  }
}
