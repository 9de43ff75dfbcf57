import ArgumentParser
import Dispatch
import Foundation

/// The program that `Benchmarks/measure` runs under its counters. Run by itself, it only executes the operations, or
/// times them.
@main
struct OvermorrowBenchmarks: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "overmorrow-benchmarks",
    abstract: "Executes one operation of one library many times.",
    subcommands: [
      Run.self, List.self, CompareHandOvers.self, MeasureGrowth.self, MeasureMemory.self, CompareContention.self,
      MeasureHitRatio.self,
    ]
  )
}

struct Run: ParsableCommand {
  static let configuration = CommandConfiguration(abstract: "Execute the operation of a row a number of times.")

  @Argument(help: "The library: \(Library.names).")
  var library: Library

  @Argument(help: "The row: \(Row.names).")
  var row: Row

  @Option(help: "The number of operations; a multiple of the row's group.")
  var count: Int

  @Option(help: "The number of timed runs, after one for warming up; prints the nanoseconds per operation of each.")
  var samples: Int?

  func validate() throws {
    guard library.workload(for: row) != nil else {
      throw ValidationError("\(library) does not have row \(row).")
    }
    guard count > 0, count.isMultiple(of: row.group) else {
      throw ValidationError(
        "Row \(row) executes groups of \(row.group) operations: \(count) is not a multiple of that.")
    }
    if let samples, samples < 1 {
      throw ValidationError("Expected a positive number of samples.")
    }
  }

  func run() {
    guard let workload = library.workload(for: row) else { return }
    makeSecondThread()
    workload(count)
    guard let samples else { return }
    for _ in 0..<samples {
      let elapsed = ContinuousClock().measure { workload(count) }
      print(elapsed / .nanoseconds(count))
    }
  }
}

struct List: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract:
      "Print a line for each row: its letter, the size of its group, the libraries that have it, and its description."
  )

  func run() {
    for row in Row.allCases {
      let libraries = Library.allCases.filter { $0.workload(for: row) != nil }.map(\.rawValue)
      print(row, row.group, libraries.joined(separator: ","), row.summary, separator: "\t")
    }
  }
}

struct CompareHandOvers: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "hand-overs",
    abstract: "Print the cost of submitting work to another thread, compared with Dispatch and tasks."
  )

  @Option(help: "The number of rounds of each of the two.")
  var rounds = 41

  @Option(help: "For a profiler: execute only this one, `--count` times, and print nothing.")
  var only: String?

  @Option(help: "The number of hand-overs for `--only`.")
  var count = 100_000

  func validate() throws {
    guard rounds > 0, count > 0 else { throw ValidationError("Expected positive numbers.") }
    if let only, handOver(only) == nil { throw ValidationError("Unknown hand-over “\(only)”.") }
  }

  private func handOver(_ name: String) -> HandOver? { (HandOvers.raw + HandOvers.all).first { $0.name == name } }

  func run() {
    if let only { return handOver(only)?.prepare(count)() ?? () }
    let table = HandOverTable(rounds: rounds)
    DispatchQueue(label: "table", qos: .userInitiated).async {
      table.print()
      Foundation.exit(0)
    }
    dispatchMain()
  }
}
