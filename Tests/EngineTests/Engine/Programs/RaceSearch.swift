/// The start and end of a step of a thread, on a clock that all threads of a round advance.
struct RaceTimes: Sendable {
  var began = 0
  var ended = Int.max
}

/// Searches for an order of a round's steps in which the model has the outcome of the engine.
///
/// A step that ended before another one began precedes it. Other steps may come in any order. Because a step is not
/// atomic, parts of other steps may also come between its parts.
final class RaceSearch {
  private let round: RaceRound
  private let times: [[RaceTimes]]
  /// The choices so far, each with the number of alternatives.
  private var path: [(choice: Int, count: Int)] = []
  private var position = 0
  /// The random numbers for choices in the second phase.
  private var chance: SeededGenerator?
  /// The number of orders tried.
  private(set) var tries = 0
  /// The outcome of the model that resembles the engine's most.
  private(set) var closest: RaceOutcome?

  init(_ round: RaceRound, _ times: [[RaceTimes]]) {
    self.round = round
    self.times = times
  }

  /// Returns whether some order explains an outcome.
  ///
  /// - Parameter most: The number of interleaved orders to try. There are too many to try all, and neighbouring ones
  ///   are similar, so they are chosen at random.
  func explains(_ outcome: RaceOutcome, most: Int) -> Bool {
    repeat {
      if isExplained(outcome, inParts: false) { return true }
    } while advance()
    chance = SeededGenerator(seed: round.seed)
    return (0..<most).contains { _ in
      path = []
      return isExplained(outcome, inParts: true)
    }
  }

  private func isExplained(_ outcome: RaceOutcome, inParts: Bool) -> Bool {
    let possible = self.outcome(inParts: inParts)
    if possible.likeness(to: outcome) > closest?.likeness(to: outcome) ?? 0 { closest = possible }
    return possible == outcome
  }

  /// Returns the outcome of the model in one order.
  private func outcome(inParts: Bool) -> RaceOutcome {
    tries += 1
    position = 0
    let machine = RaceMachine<ModelWorld>(round)
    var begun = times.map { _ in 0 }
    var done = begun
    /// The threads whose next step may begin; `nil` stands for a turn of a global queue.
    func ready() -> [Int?] {
      let threads = times.indices.filter { thread in
        guard begun[thread] == done[thread], begun[thread] < times[thread].count else { return false }
        let began = times[thread][begun[thread]].began
        return times.indices.allSatisfy { other in
          done[other] == times[other].count || times[other][done[other]].ended > began
        }
      }
      return threads + (machine.canContinueOnQueue ? [nil] : [])
    }
    func perform(_ thread: Int?) {
      guard let thread else { return machine.continueOnQueue() }
      begun[thread] += 1
      machine.perform(begun[thread] - 1, of: thread)
      done[thread] += 1
    }
    /// The steps that have begun but not ended.
    var paused: [SteppedThread] = []
    var current: SteppedThread?
    if inParts { machine.yield = { current?.pause() } }
    while true {
      let ready = ready()
      if ready.isEmpty, paused.isEmpty { break }
      let choice = choose(ready.count + paused.count)
      if choice < ready.count, !inParts {
        perform(ready[choice])
      } else {
        let isNew = choice < ready.count
        let thread = isNew ? SteppedThread { perform(ready[choice]) } : paused.remove(at: choice - ready.count)
        current = thread
        if thread.advance() { paused.append(thread) }
      }
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

  /// Advances to the next path, like a counter. Returns `false` after the last one.
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
