import ArgumentParser
import Dispatch
import Foundation

/// The program that `Benchmarks/measure` runs under its counters. Run by itself, it only executes the operations, or
/// times them.
@main
struct OvermorrowBenchmarks: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "overmorrow-benchmarks",
    abstract: "Does one operation of one library, many times.",
    subcommands: [
      Run.self, List.self, CompareHandOvers.self, MeasureGrowth.self, MeasureMemory.self, CompareContention.self,
    ]
  )
}

struct Run: ParsableCommand {
  static let configuration = CommandConfiguration(abstract: "Do the operation of a row so many times.")

  @Argument(help: "Whose operation: \(Library.names).")
  var library: Library

  @Argument(help: "Which operation: \(Row.names).")
  var row: Row

  @Option(help: "How many operations; a multiple of the row's group.")
  var count: Int

  @Option(help: "Time it so often, after one run to warm up, and print the nanoseconds per operation of each.")
  var samples: Int?

  func validate() throws {
    guard library.workload(for: row) != nil else {
      throw ValidationError("\(library) has nothing like row \(row).")
    }
    guard count > 0, count.isMultiple(of: row.group) else {
      throw ValidationError("Row \(row) is done \(row.group) operations at a time: \(count) is not a multiple.")
    }
    if let samples, samples < 1 {
      throw ValidationError("There is nothing to print with \(samples) samples.")
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
    abstract: "Print a line for each row: its letter, its group, which libraries have it, and what it does."
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
    abstract: "Print what it takes to hand work to another thread, beside what Dispatch and tasks take for the same."
  )

  @Option(help: "How often each of the two does its work.")
  var rounds = 41

  @Option(help: "Do only this one, so many times, and print nothing: for a profiler.")
  var only: String?

  @Option(help: "How many times.")
  var count = 100_000

  func validate() throws {
    guard rounds > 0, count > 0 else { throw ValidationError("There is nothing to do.") }
    if let only, handOver(only) == nil { throw ValidationError("There is no \(only).") }
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
