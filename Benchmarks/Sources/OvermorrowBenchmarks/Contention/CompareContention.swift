import ArgumentParser

struct CompareContention: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "contention",
    abstract: "Print what an operation costs on 1, 2, 4 and 8 threads, beside a mutex with an array of closures."
  )

  @Option(help: "How often each is measured.")
  var rounds = 21

  func validate() throws {
    guard rounds > 0 else { throw ValidationError("There is nothing to do.") }
  }

  func run() { ContentionTable(rounds: rounds).print() }
}
