import ArgumentParser

struct MeasureGrowth: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "growth",
    abstract: "Print the cost of one object among 1, 10, 100, ...: links, observers, inputs, timers, jobs and others."
  )

  @Option(help: "The number of measurements of each.")
  var rounds = 5

  @Option(help: "The largest number of objects.")
  var most = 1_000_000

  @Option(name: .customLong("kind"), help: "Measure only this kind; may be repeated.")
  var kinds: [String] = []

  @Option(help: "Also write the costs to this file.")
  var json: String?

  @Option(help: "For a profiler: make and end only this kind, `--most` at a time, `--rounds` times, and print nothing.")
  var only: String?

  func validate() throws {
    guard rounds > 0, most > 0 else { throw ValidationError("Expected positive numbers.") }
    for name in kinds + (only.map { [$0] } ?? []) where growth(name) == nil {
      throw ValidationError(
        "Unknown kind “\(name)”. The kinds are: \(Growths.all.map(\.name).joined(separator: "; ")).")
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
