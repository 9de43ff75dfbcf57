import ArgumentParser

/// The program that `Benchmarks/measure` runs under its counters; alone, it only does the work, or times it.
@main
struct OvermorrowBenchmarks: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "overmorrow-benchmarks",
    abstract: "Does one operation of one library, many times.",
    subcommands: [Run.self, List.self]
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
