import OpenCombine

/// The rows for OpenCombine's futures.
///
/// A publisher does nothing before it is subscribed to, so each chain ends with a `sink`. The object that `sink`
/// returns is retained until the end of the round, because its release ends the subscription.
enum OpenCombineRows {
  static func workload(for row: Row) -> Workload? {
    switch row {
    case .a: create
    case .b: createAndFulfill
    case .c: observeResolved
    case .d: mapChain
    case .f: flatMapChain
    case .g: observers
    case .l: awaitResolved
    case .m: awaitPending
    case .n: mapChainCapturing
    case .o: observersCapturing
    case .p: observeResolvedCapturing
    case .s: mapChainOfBlocks
    default: nil
    }
  }

  typealias F = Future<Int, any Error>

  static func resolved(_ value: Int) -> F { F { $0(.success(value)) } }

  /// Returns a future that is resolved from outside. Only the initialiser provides the closure that resolves it.
  static func pending<Value>(_: Value.Type = Int.self) -> (Future<Value, any Error>, Future<Value, any Error>.Promise) {
    var promise: Future<Value, any Error>.Promise?
    let future = Future<Value, any Error> { promise = $0 }
    return (future, promise!)
  }

  /// Stops the program unless a publisher already has this value.
  @inline(never)
  static func expectValue<Value: Equatable>(_ value: Value, of publisher: some Publisher, _ row: Row) {
    var received: Value?
    let subscription = publisher.sink(receiveCompletion: { _ in }, receiveValue: { received = $0 as? Value })
    expect(received == value, row)
    blackHole(subscription)
  }

  private static func create(_ count: Int) {
    for value in 0..<count {
      let future = resolved(value)
      if value == 0 { expectValue(0, of: future, .a) }
      blackHole(future)
    }
  }

  private static func createAndFulfill(_ count: Int) {
    for value in 0..<count {
      let (future, promise) = pending()
      promise(.success(value))
      if value == 0 { expectValue(0, of: future, .b) }
      blackHole(future)
    }
  }

  private static func observeResolved(_ count: Int) {
    let future = resolved(1)
    expectValue(1, of: future, .c)
    for _ in 0..<count { blackHole(future.sink(receiveCompletion: { _ in }, receiveValue: { blackHole($0) })) }
  }

  /// `map` of a `map` is one publisher with a nested closure.
  private static func mapChain(_ count: Int) {
    for round in 0..<count / Row.d.group {
      let (root, promise) = pending()
      var last = root.map { $0 &+ 1 }
      for _ in 1..<Row.d.group { last = last.map { $0 &+ 1 } }
      let subscription = last.sink(receiveCompletion: { _ in }, receiveValue: { blackHole($0) })
      promise(.success(round))
      if round == 0 { expectValue(Row.d.group, of: last, .d) }
      blackHole(subscription)
    }
  }

  /// Each step has a different type, so the ten steps are written out.
  private static func flatMapChain(_ count: Int) {
    @Sendable func next(_ value: Int) -> F { resolved(value &+ 1) }
    for round in 0..<count / Row.f.group {
      let (root, promise) = pending()
      let half = root.flatMap(next).flatMap(next).flatMap(next).flatMap(next).flatMap(next)
      let last = half.flatMap(next).flatMap(next).flatMap(next).flatMap(next).flatMap(next)
      let subscription = last.sink(receiveCompletion: { _ in }, receiveValue: { blackHole($0) })
      promise(.success(round))
      if round == 0 { expectValue(Row.f.group, of: last, .f) }
      blackHole(subscription)
    }
  }

  private static func observers(_ count: Int) {
    var subscriptions: [AnyCancellable] = []
    subscriptions.reserveCapacity(Row.g.group)
    for round in 0..<count / Row.g.group {
      let (future, promise) = pending()
      for _ in 0..<Row.g.group {
        subscriptions.append(future.sink(receiveCompletion: { _ in }, receiveValue: { blackHole($0) }))
      }
      promise(.success(round))
      if round == 0 { expectValue(0, of: future, .g) }
      subscriptions.removeAll(keepingCapacity: true)
    }
  }
}
