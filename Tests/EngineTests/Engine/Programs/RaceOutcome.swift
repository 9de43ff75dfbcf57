/// The observations of a round with racing threads, without the order of events on different threads.
struct RaceOutcome: Equatable, Sendable, CustomStringConvertible {
  /// The number of runs of each callback with each result while the threads were running.
  var raced: [ProgramObservation: Int] = [:]
  /// The state right after that.
  var afterwards: ProgramObservation?
  /// The events after that, on one thread.
  var ending: [ProgramObservation: Int] = [:]
  /// For each promise, the immediate callbacks that were registered before the race, in the order in which they ran.
  var order: [Int: [Int]] = [:]
  var leaks = 0

  /// Returns a score of the similarity to another outcome.
  func likeness(to other: RaceOutcome) -> Int {
    1 + (afterwards == other.afterwards ? 4 : 0) + (raced == other.raced ? 2 : 0) + (ending == other.ending ? 2 : 0)
      + (order == other.order ? 1 : 0) + (leaks == other.leaks ? 1 : 0)
  }

  var description: String {
    func text(_ events: [ProgramObservation: Int]) -> String {
      events.map { "\($0.key)\($0.value > 1 ? ", \($0.value) times" : "")" }.sorted().joined(separator: "; ")
    }
    return """
        race: \(text(raced))
        then: \(afterwards.map { "\($0)" } ?? "")
        ending: \(text(ending))
        order: \(order.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(separator: ", "))
        alive: \(leaks)
      """
  }
}
