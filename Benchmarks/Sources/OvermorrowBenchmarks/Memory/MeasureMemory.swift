import ArgumentParser

struct MeasureMemory: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "memory",
    abstract:
      "Print what a promise, an observer, a step, a timer and others take on the heap, beside futures and tasks."
  )

  @Option(help: "How many of each are made.")
  var count = 100_000

  func validate() throws {
    guard count > 0 else { throw ValidationError("There is nothing to do.") }
  }

  func run() {
    Heap.keepFreedMemory()
    MemoryTable(count: count).print()
  }
}
