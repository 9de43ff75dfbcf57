/// Measures the memory of one object among many.
struct MemoryTable {
  /// The number of objects.
  let count: Int
  /// The number of objects that are made first, so that one-time allocations are not counted.
  private let warmUp = 1_000

  private var rows: [HoldingRow] {
    [
      HoldingRow(
        name: "pending promise with its resolver", overmorrow: OvermorrowHoldings.pending, nio: NIOHoldings.pending),
      HoldingRow(
        name: "resolved promise", overmorrow: OvermorrowHoldings.resolved, nio: NIOHoldings.resolved,
        task: TaskHoldings.finished),
      HoldingRow(name: "waiting observer", overmorrow: OvermorrowHoldings.observers, nio: NIOHoldings.observers),
      HoldingRow(name: "waiting observer without a promise", overmorrow: OvermorrowHoldings.taps),
      HoldingRow(
        name: "pending promise with resolver and observer", overmorrow: OvermorrowHoldings.observed,
        nio: NIOHoldings.observed),
      HoldingRow(name: "waiting map step", overmorrow: OvermorrowHoldings.links, nio: NIOHoldings.links),
      HoldingRow(name: "waiting observer with a token", overmorrow: OvermorrowHoldings.observersWithToken),
      HoldingRow(name: "registration of a promise with a token", overmorrow: OvermorrowHoldings.registrations),
      HoldingRow(name: "queued job of a limiter", overmorrow: OvermorrowHoldings.jobs),
      HoldingRow(name: "suspended task", task: TaskHoldings.suspended),
      HoldingRow(
        name: "task that waits for a result", overmorrow: OvermorrowHoldings.waitingTasks,
        nio: NIOHoldings.waitingTasks, task: TaskHoldings.waiting),
      // Measured last, because the runtime keeps the memory of a cancelled sleep until its deadline.
      HoldingRow(
        name: "pending timer", overmorrow: OvermorrowHoldings.timers, nio: NIOHoldings.timers,
        task: TaskHoldings.sleeping),
    ]
  }

  func print() {
    var table = TextTable()
    table.append(["bytes and blocks on the heap per object", "Overmorrow", "", "SwiftNIO", "", "Task", ""])
    for row in rows {
      let cells = [row.overmorrow, row.nio, row.task].flatMap { $0.map(measure) ?? ["–", ""] }
      table.append([row.name] + cells)
    }
    table.print()
  }

  private func measure(_ prepare: Holding.Preparation) -> [String] {
    run(prepare(warmUp))
    let holding = prepare(count)
    let (bytes, blocks) = (Heap.bytes, Heap.blocks)
    holding.make()
    let (moreBytes, moreBlocks) = (Heap.bytes, Heap.blocks)
    holding.end()
    return [each(bytes, moreBytes, digits: 0), each(blocks, moreBlocks, digits: 1)]
  }

  private func run(_ holding: Holding) {
    holding.make()
    holding.end()
  }

  private func each(_ before: Int?, _ after: Int?, digits: Int) -> String {
    guard let before, let after else { return "?" }
    return (Double(after - before) / Double(count)).text(digits: digits)
  }
}
