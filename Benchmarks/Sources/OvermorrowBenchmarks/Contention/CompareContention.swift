import ArgumentParser

struct CompareContention: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "contention",
    abstract: "Print the cost of an operation on 1, 2, 4 and 8 threads, compared with a mutex and an array of closures."
  )

  @Option(help: "The number of measurements of each.")
  var rounds = 21

  @Option(help: "Print only the tables whose names contain this text.")
  var only = ""

  @Flag(help: "Print the lowest costs instead of the medians, for a machine that has other work, too.")
  var lowest = false

  func validate() throws {
    guard rounds > 0 else { throw ValidationError("Expected a positive number of rounds.") }
  }

  func run() { ContentionTable(rounds: rounds, name: only, isLowest: lowest).print() }
}
