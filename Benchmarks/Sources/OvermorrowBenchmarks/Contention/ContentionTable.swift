/// Compares the cost of an operation on an increasing number of threads.
struct ContentionTable {
  let rounds: Int
  /// A part of the names of the tables to print; all if it is empty.
  let name: String
  /// Whether the cells are the lowest costs instead of the medians, for a machine that has other work, too.
  let isLowest: Bool
  private let threads = [1, 2, 4, 8]
  /// The number of operations of all threads together.
  private let operations = 160_000
  private let warmUp = 1

  func print() {
    Swift.print(
      "nanoseconds per operation, and the ratio to the cost on one thread; "
        + "\(isLowest ? "lowest" : "medians") of \(rounds) rounds")
    for contention in Contention.all where name.isEmpty || contention.name.contains(name) { print(contention) }
  }

  private func print(_ contention: Contention) {
    // Each round measures all numbers of threads and all contenders in turn, so that other load of the machine affects
    // all of them alike.
    var costs: [[[Crew.Cost]]] = []
    for round in 0..<rounds + warmUp {
      let measured = threads.map { threads in
        contention.contenders.map { Crew(threads: threads, operations: operations).cost(of: $0) }
      }
      if round >= warmUp { costs.append(measured) }
    }
    Swift.print("\n\(contention.name)")
    table(contention, costs).print()
  }

  private func table(_ contention: Contention, _ costs: [[[Crew.Cost]]]) -> TextTable {
    let clocks: [(name: String, time: KeyPath<Crew.Cost, Double>)] = [
      ("elapsed", \.elapsed), ("processor", \.processor),
    ]
    var table = TextTable()
    let names = contention.contenders.flatMap { [$0.name, ""] }
    table.append([""] + clocks.flatMap { [$0.name] + names.dropFirst().map { _ in "" } })
    table.append(["threads"] + clocks.flatMap { _ in names })
    for (row, threads) in threads.enumerated() {
      let cells = clocks.flatMap { clock in
        contention.contenders.indices.flatMap { contender in
          let times = costs.map { $0[row][contender][keyPath: clock.time] }
          let alone = costs.map { $0[0][contender][keyPath: clock.time] }
          let (time, ratio) =
            isLowest
            ? (times.min() ?? 0, (times.min() ?? 0) / (alone.min() ?? 0))
            : (times.median, zip(times, alone).map { $0 / $1 }.median)
          return [time.text(), row == 0 ? "" : "×" + ratio.text(digits: 2)]
        }
      }
      table.append(["\(threads)"] + cells)
    }
    return table
  }
}
