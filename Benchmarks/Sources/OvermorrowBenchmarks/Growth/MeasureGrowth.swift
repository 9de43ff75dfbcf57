import ArgumentParser

struct MeasureGrowth: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "growth",
    abstract: "Print what one of 1, 10, 100, ... costs: links, observers, inputs, timers, jobs and others."
  )

  @Option(help: "How often each is measured.")
  var rounds = 5

  @Option(help: "How many there are at the most.")
  var most = 1_000_000

  @Option(name: .customLong("kind"), help: "Measure this, and not all; may be repeated.")
  var kinds: [String] = []

  @Option(help: "Write the costs to this file, too.")
  var json: String?

  @Option(help: "Make and end only these, `--most` at a time, `--rounds` times, and print nothing: for a profiler.")
  var only: String?

  func validate() throws {
    guard rounds > 0, most > 0 else { throw ValidationError("There is nothing to do.") }
    for name in kinds + (only.map { [$0] } ?? []) where growth(name) == nil {
      throw ValidationError("There are no \(name). There are: \(Growths.all.map(\.name).joined(separator: "; ")).")
    }
  }

  private func growth(_ name: String) -> Growth? { Growths.all.first { $0.name == name } }

  func run() throws {
    Heap.keepFreedMemory()
    if let growth = only.flatMap(growth) {
      for _ in 0..<rounds { growth.begin(most)() }
      return
    }
    let counts = sequence(first: 1) { $0 <= most / 10 ? $0 * 10 : nil }
    let table = GrowthTable(
      growths: kinds.isEmpty ? Growths.all : kinds.compactMap(growth), rounds: rounds, counts: Array(counts))
    let costs = table.measure()
    table.print(costs)
    if let json { try table.write(costs, to: json) }
  }
}
