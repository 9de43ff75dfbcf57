import OpenCombine

/// The rows whose callbacks capture an object, or whose values are large.
extension OpenCombineRows {
  static func mapChainCapturing(_ count: Int) {
    let captured = Captured()
    for round in 0..<count / Row.n.group {
      let (root, promise) = pending()
      var last = root.map { $0 &+ captured.number }
      for _ in 1..<Row.n.group { last = last.map { $0 &+ captured.number } }
      let subscription = last.sink(receiveCompletion: { _ in }, receiveValue: { blackHole($0) })
      promise(.success(round))
      if round == 0 { expectValue(Row.n.group, of: last, .n) }
      blackHole(subscription)
    }
  }

  static func observersCapturing(_ count: Int) {
    let captured = Captured()
    var subscriptions: [AnyCancellable] = []
    subscriptions.reserveCapacity(Row.o.group)
    for round in 0..<count / Row.o.group {
      let (future, promise) = pending()
      for _ in 0..<Row.o.group {
        subscriptions.append(
          future.sink(receiveCompletion: { _ in }, receiveValue: { blackHole($0 &+ captured.number) })
        )
      }
      promise(.success(round))
      if round == 0 { expectValue(0, of: future, .o) }
      subscriptions.removeAll(keepingCapacity: true)
    }
  }

  static func observeResolvedCapturing(_ count: Int) {
    let captured = Captured()
    let future = resolved(1)
    expectValue(1, of: future, .p)
    for _ in 0..<count {
      blackHole(future.sink(receiveCompletion: { _ in }, receiveValue: { blackHole($0 &+ captured.number) }))
    }
  }

  static func mapChainOfBlocks(_ count: Int) {
    for round in 0..<count / Row.s.group {
      let (root, promise) = pending(Block.self)
      var last = root.map { $0.next }
      for _ in 1..<Row.s.group { last = last.map { $0.next } }
      let subscription = last.sink(receiveCompletion: { _ in }, receiveValue: { blackHole($0) })
      promise(.success(Block(round)))
      if round == 0 { expectValue(Row.s.group, of: last.map { $0.first.0 }, .s) }
      blackHole(subscription)
    }
  }
}
