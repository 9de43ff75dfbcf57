/// The rows for closures without a library.
enum ClosureRows {
  static func workload(for row: Row) -> Workload? {
    switch row {
    case .a: create
    case .b: createAndFulfill
    case .c: observeResolved
    case .d: mapChain
    case .f: flatMapChain
    case .g: observers
    case .h: all
    case .i: contended
    case .n: mapChainCapturing
    case .o: observersCapturing
    case .p: observeResolvedCapturing
    default: nil
    }
  }

  private static func create(_ count: Int) {
    for value in 0..<count { blackHole(ClosureCell(value)) }
  }

  private static func createAndFulfill(_ count: Int) {
    for value in 0..<count {
      let cell = ClosureCell()
      cell.fulfill(value)
      blackHole(cell)
    }
  }

  private static func observeResolved(_ count: Int) {
    let cell = ClosureCell(1)
    for _ in 0..<count { cell.whenFulfilled { blackHole($0) } }
  }

  private static func mapChain(_ count: Int) {
    for round in 0..<count / Row.d.group {
      let root = ClosureCell()
      var last = root
      for _ in 0..<Row.d.group { last = last.map { $0 &+ 1 } }
      root.fulfill(round)
      if round == 0 { last.whenFulfilled { expect($0 == Row.d.group, .d) } }
      blackHole(last)
    }
  }

  private static func flatMapChain(_ count: Int) {
    for round in 0..<count / Row.f.group {
      let root = ClosureCell()
      var last = root
      for _ in 0..<Row.f.group { last = last.flatMap { ClosureCell($0 &+ 1) } }
      root.fulfill(round)
      if round == 0 { last.whenFulfilled { expect($0 == Row.f.group, .f) } }
      blackHole(last)
    }
  }

  private static func observers(_ count: Int) {
    for round in 0..<count / Row.g.group {
      let cell = ClosureCell()
      for _ in 0..<Row.g.group { cell.whenFulfilled { blackHole($0) } }
      cell.fulfill(round)
    }
  }

  /// Collects the values of the cells in an array. The last one passes the array on.
  private final class Gathering {
    var values: [Int]
    var missing: Int
    init(_ count: Int) {
      values = Array(repeating: 0, count: count)
      missing = count
    }
  }

  private static func all(_ count: Int) {
    let group = Row.h.group
    var cells: [ClosureCell] = []
    cells.reserveCapacity(group)
    for round in 0..<count / group {
      for _ in 0..<group { cells.append(ClosureCell()) }
      let gathering = Gathering(group)
      for index in 0..<group {
        cells[index].whenFulfilled { value in
          gathering.values[index] = value
          gathering.missing -= 1
          if gathering.missing == 0 { blackHole(gathering.values) }
        }
      }
      for index in 0..<group { cells[index].fulfill(index) }
      if round == 0 { expect(gathering.values == Array(0..<group), .h) }
      cells.removeAll(keepingCapacity: true)
    }
  }

  private static func contended(_ count: Int) {
    let contest = Contest()
    for round in 0..<count / Row.i.group {
      let cell = LockedClosureCell()
      contest.round(
        register: { cell.whenFulfilled { blackHole($0) } },
        resolve: { cell.fulfill(round) }
      )
    }
  }
}
