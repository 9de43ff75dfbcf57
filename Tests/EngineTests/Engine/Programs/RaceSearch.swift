/// When a step of a thread began and ended, on a clock that all threads of a round advance.
struct RaceTimes: Sendable {
  var began = 0
  var ended = Int.max
}

/// Looks for an order of a round's steps in which the model does what the engine has done.
///
/// A step that ended before another one began comes before it. Others may come in any order; and as a step is not done at
/// once, others may come between its parts.
final class RaceSearch {
  enum OperationResult {
    case explained, unexplained
    /// There are more orders than were tried.
    case givenUp
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

  /// - Parameter most: How many orders are tried with steps inside others, one after the other, and then as many by chance;
  ///   without, all are.
  func verdict(on outcome: RaceOutcome, most: Int) -> OperationResult {
    for nests in [false, true] {
      path = []
      let before = tries
      repeat {
        if nests, tries - before > most { return isExplainedByChance(outcome, most: most) ? .explained : .givenUp }
        if isExplained(outcome, nesting: nests) { return .explained }
      } while advance()
    }
    return .unexplained
  }

  /// Neighbouring orders are alike, and there are too many of them: looks elsewhere.
  private func isExplainedByChance(_ outcome: RaceOutcome, most: Int) -> Bool {
    chance = SeededGenerator(seed: round.seed)
    return (0..<most).contains { _ in
      path = []
      return isExplained(outcome, nesting: true)
    }
  }

  private func isExplained(_ outcome: RaceOutcome, nesting: Bool) -> Bool {
    let possible = self.outcome(nesting: nesting)
    if possible.likeness(to: outcome) > closest?.likeness(to: outcome) ?? 0 { closest = possible }
    return possible == outcome
  }

  /// What the model does in one order.
  private func outcome(nesting: Bool) -> RaceOutcome {
    tries += 1
    position = 0
    let machine = RaceMachine<ModelWorld>(round)
    var begun = times.map { _ in 0 }
    var done = begun
    func ready() -> [Int] {
      times.indices.filter { thread in
        guard begun[thread] == done[thread], begun[thread] < times[thread].count else { return false }
        let began = times[thread][begun[thread]].began
        return times.indices.allSatisfy { other in
          done[other] == times[other].count || times[other][done[other]].ended > began
        }
      }
    }
    func perform(_ thread: Int) {
      begun[thread] += 1
      machine.perform(begun[thread] - 1, of: thread)
      done[thread] += 1
    }
    if nesting {
      machine.yield = { [unowned self] in
        while true {
          let ready = ready()
          let choice = choose(ready.count + 1)
          if choice == 0 { return }
          perform(ready[choice - 1])
        }
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
