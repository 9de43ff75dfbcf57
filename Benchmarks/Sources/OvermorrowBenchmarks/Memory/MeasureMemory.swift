import ArgumentParser

struct MeasureMemory: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "memory",
    abstract:
      "Print the memory of a promise, an observer, a step, a timer and others, compared with futures and tasks."
  )

  @Option(help: "The number of objects of each kind.")
  var count = 100_000

  func validate() throws {
    guard count > 0 else { throw ValidationError("Expected a positive number.") }
  }

  func run() {
    Heap.keepFreedMemory()
    MemoryTable(count: count).print()
  }
}
