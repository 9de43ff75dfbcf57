/// When a step of a thread began and ended, on a clock that all threads of a round advance.
struct RaceTimes: Sendable {
  var began = 0
  var ended = Int.max
}

/// Looks for an order of a round's steps in which the model does what the engine has done.
///
/// A step that ended before another one began comes before it. Others may come in any order; and as a step is not done at
/// once, the parts of others may come between its parts.
final class RaceSearch {
  private enum Way {
    case oneByOne
    /// Whole steps between the parts of others.
    case nested
    /// Parts between parts. Each step has a thread of its own, so this takes longest.
    case interleaved
  }

  private let round: RaceRound
  private let times: [[RaceTimes]]
  /// What was chosen so far, and from how many.
  private var path: [(choice: Int, count: Int)] = []
  private var position = 0
  /// What chooses, once it is left to chance.
  private var chance: SeededGenerator?
  /// How many orders have been tried.
  private(set) var tries = 0
  /// What the model does in the order that comes closest.
  private(set) var closest: RaceOutcome?

  init(_ round: RaceRound, _ times: [[RaceTimes]]) {
    self.round = round
    self.times = times
  }

  /// Whether there is such an order.
  ///
  /// - Parameter most: How many orders of each kind are tried.
  func explains(_ outcome: RaceOutcome, most: Int) -> Bool {
    for way in [Way.oneByOne, .nested] {
      path = []
      let last = tries + most
      repeat {
        if isExplained(outcome, way) { return true }
      } while tries < last && advance()
    }
    // Neighbouring orders are alike, and there are too many of them.
    chance = SeededGenerator(seed: round.seed)
    return (0..<most).contains { _ in
      path = []
      return isExplained(outcome, .interleaved)
    }
  }

  private func isExplained(_ outcome: RaceOutcome, _ way: Way) -> Bool {
    let possible = self.outcome(way)
    if possible.likeness(to: outcome) > closest?.likeness(to: outcome) ?? 0 { closest = possible }
    return possible == outcome
  }

  /// What the model does in one order.
  private func outcome(_ way: Way) -> RaceOutcome {
    tries += 1
    position = 0
    let machine = RaceMachine<ModelWorld>(round)
    var begun = times.map { _ in 0 }
    var done = begun
    /// The threads whose next step may begin; `nil` is that of a global queue.
    func ready() -> [Int?] {
      let threads = times.indices.filter { thread in
        guard begun[thread] == done[thread], begun[thread] < times[thread].count else { return false }
        let began = times[thread][begun[thread]].began
        return times.indices.allSatisfy { other in
          done[other] == times[other].count || times[other][done[other]].ended > began
        }
      }
      return threads + (machine.canGoOnElsewhere ? [nil] : [])
    }
    func perform(_ thread: Int?) {
      guard let thread else { return machine.goOnElsewhere() }
      begun[thread] += 1
      machine.perform(begun[thread] - 1, of: thread)
      done[thread] += 1
    }
    switch way {
    case .oneByOne: break
    case .nested:
      machine.yield = { [unowned self] in
        while true {
          let ready = ready()
          let choice = choose(ready.count + 1)
          if choice == 0 { return }
          perform(ready[choice - 1])
        }
      }
    case .interleaved:
      var current: SteppedThread?
      machine.yield = { current?.pause() }
      var running: [SteppedThread] = []
      while true {
        let ready = ready()
        if ready.isEmpty, running.isEmpty { break }
        let choice = choose(running.count + ready.count)
        let next = choice < running.count ? nil : ready[choice - running.count]
        let thread = choice < running.count ? running.remove(at: choice) : SteppedThread { perform(next) }
        current = thread
        if thread.advance() { running.append(thread) }
      }
    }
    while true {
      let ready = ready()
      if ready.isEmpty { break }
      perform(ready[choose(ready.count)])
    }
    machine.yield = {}
    return machine.finish()
  }

  private func choose(_ count: Int) -> Int {
    if count == 1 { return 0 }
    if position == path.count { path.append((chance == nil ? 0 : Int.random(in: 0..<count, using: &chance!), count)) }
    defer { position += 1 }
    return path[position].choice
  }

  /// The next path, in the manner of a number; `false` if that was the last one.
  private func advance() -> Bool {
    while let last = path.popLast() {
      if last.choice + 1 < last.count {
        path.append((last.choice + 1, last.count))
        return true
      }
    }
    return false
  }
}
