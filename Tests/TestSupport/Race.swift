internal import Foundation
internal import Overmorrow
package import Testing

/// Lets contestants run side by side, each on a thread of its own; in every round they start together.
///
/// The test fails if something is wrong with a round.
///
/// - Parameters:
///   - rounds: How often, at most.
///   - time: After how long no more rounds are begun; there is at least one.
///   - make: Makes what the contestants of one round share.
///   - contestants: What runs side by side.
///   - check: Looks at a round that is over; returns what is wrong with it.
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
  let deadline = ContinuousClock.now.advanced(by: time)
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

/// The same, with the contestants one by one.
package func race<Round: Sendable>(
  rounds: Int, within time: Duration = .milliseconds(500), _ make: @escaping @Sendable () -> Round,
  _ contestants: @Sendable (Round) -> Void..., sourceLocation: SourceLocation = #_sourceLocation,
  check: @escaping @Sendable (Round) -> String?
) async {
  await race(rounds: rounds, within: time, make, contestants, sourceLocation: sourceLocation, check: check)
}

/// Whether something comes true that other threads bring about. The calling thread waits for that, a minute at most.
package func comesTrue(_ condition: () -> Bool) -> Bool {
  let end = ContinuousClock.now.advanced(by: .seconds(60))
  while !condition() {
    if ContinuousClock.now > end { return false }
    sched_yield()
  }
  return true
}

/// Admits one race at a time: threads that spin for each other need the processors.
private let raceTrack = Gate(width: 1)

/// Runs a contestant; `false` when there is no round any more. Nothing of it is left on this thread when this returns.
@inline(never)
private func run<Round>(_ contestant: (Round) -> Void, with round: Holder<Round>, after spins: Int) -> Bool {
  guard let round = round.value else { return false }
  // The threads leave the barrier in some order; a few idle turns mix it up.
  let idle = Counter()
  for _ in 0..<spins { idle.increment() }
  contestant(round)
  return true
}

/// Lets threads through when so many of them have arrived. It spins, so that they leave together.
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

/// An observer that has run, and where.
package struct Started: Sendable {
  package let number: Int
  /// Which of several threads has registered it.
  package let registering: Int
  package let thread: ObjectIdentifier

  /// The observer that runs just now.
  package init(_ number: Int, registeredBy registering: Int = 0) {
    self.number = number
    self.registering = registering
    thread = currentThread
  }
}

extension Recorder where Entry == Started {
  /// What is wrong if not each of the observers of each thread has run once, started in the order of registration.
  ///
  /// One may come to its log after a later one of the same thread only if it has been started before, on another thread,
  /// and is what that thread does just then.
  package func startFinding(_ count: Int, threads: Int = 1) -> String? {
    let entries = entries
    for registering in 0..<threads {
      let numbers = entries.filter { $0.registering == registering }.map(\.number)
      if numbers.sorted() != Array(0..<count) { return "observers ran: \(numbers)" }
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

  /// What is wrong if not each of the observers has run once, one after the other, in the order of registration.
  package func orderFinding(_ count: Int) -> String? {
    let numbers = entries.map(\.number)
    return numbers == Array(0..<count) ? nil : "observers ran in the order \(numbers)"
  }
}
