/// The rows whose callbacks capture an object.
extension ClosureRows {
  static func mapChainCapturing(_ count: Int) {
    let captured = Captured()
    for round in 0..<count / Row.n.group {
      let root = ClosureCell()
      var last = root
      for _ in 0..<Row.n.group { last = last.map { $0 &+ captured.number } }
      root.fulfill(round)
      if round == 0 { last.whenFulfilled { expect($0 == Row.n.group, .n) } }
      blackHole(last)
    }
  }

  static func observersCapturing(_ count: Int) {
    let captured = Captured()
    for round in 0..<count / Row.o.group {
      let cell = ClosureCell()
      for _ in 0..<Row.o.group { cell.whenFulfilled { blackHole($0 &+ captured.number) } }
      cell.fulfill(round)
    }
  }

  static func observeResolvedCapturing(_ count: Int) {
    let captured = Captured()
    let cell = ClosureCell(1)
    for _ in 0..<count { cell.whenFulfilled { blackHole($0 &+ captured.number) } }
  }
}
