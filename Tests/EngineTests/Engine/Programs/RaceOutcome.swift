/// What can be seen of a round whose threads have raced: not the order of what happened on different threads.
struct RaceOutcome: Equatable, Sendable, CustomStringConvertible {
  /// How often each callback has run with each result, until the threads were done.
  var raced: [ProgramObservation: Int] = [:]
  /// What could be seen then.
  var afterwards: ProgramObservation?
  /// What happened from then on, on one thread.
  var ending: [ProgramObservation: Int] = [:]
  /// The callbacks of each promise, as far as they were registered before the race to run at once, in their order.
  var order: [Int: [Int]] = [:]
  var leaks = 0

  /// How much of it is the same.
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
