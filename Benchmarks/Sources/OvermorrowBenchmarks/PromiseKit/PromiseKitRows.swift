import PromiseKit

/// The rows for the promises of the drop-in module. Their callbacks capture an object, as in the measurements of the
/// original.
enum PromiseKitRows {
  static func workload(for row: Row) -> Workload? {
    switch row {
    case .a: create
    case .b: createAndFulfill
    case .n: mapChain
    case .f: thenChain
    case .o: observers
    case .h: all
    default: nil
    }
  }

  private static func create(_ count: Int) {
    for value in 0..<count { blackHole(Promise.value(value)) }
  }

  private static func createAndFulfill(_ count: Int) {
    for value in 0..<count {
      let (promise, resolver) = Promise<Int>.pending()
      resolver.fulfill(value)
      blackHole(promise)
    }
  }

  private static func mapChain(_ count: Int) {
    let captured = Captured()
    for round in 0..<count / Row.n.group {
      let (root, resolver) = Promise<Int>.pending()
      var last = root
      for _ in 0..<Row.n.group { last = last.map(on: nil) { $0 &+ captured.number } }
      resolver.fulfill(round)
      if round == 0 { expect(last.value == Row.n.group, .n) }
      blackHole(last)
    }
  }

  private static func thenChain(_ count: Int) {
    let captured = Captured()
    for round in 0..<count / Row.f.group {
      let (root, resolver) = Promise<Int>.pending()
      var last = root
      for _ in 0..<Row.f.group { last = last.then(on: nil) { Promise.value($0 &+ captured.number) } }
      resolver.fulfill(round)
      if round == 0 { expect(last.value == Row.f.group, .f) }
      blackHole(last)
    }
  }

  private static func observers(_ count: Int) {
    let captured = Captured()
    for round in 0..<count / Row.o.group {
      let (promise, resolver) = Promise<Int>.pending()
      for _ in 0..<Row.o.group { _ = promise.done(on: nil) { blackHole($0 &+ captured.number) } }
      resolver.fulfill(round)
    }
  }

  private static func all(_ count: Int) {
    let group = Row.h.group
    // Reused in each round, so that the row measures promises and not arrays.
    var promises: [Promise<Int>] = []
    var resolvers: [Resolver<Int>] = []
    promises.reserveCapacity(group)
    resolvers.reserveCapacity(group)
    for round in 0..<count / group {
      for _ in 0..<group {
        let (promise, resolver) = Promise<Int>.pending()
        promises.append(promise)
        resolvers.append(resolver)
      }
      let all = when(fulfilled: promises)
      for index in 0..<group { resolvers[index].fulfill(index) }
      if round == 0 { expect(all.value == Array(0..<group), .h) }
      blackHole(all)
      promises.removeAll(keepingCapacity: true)
      resolvers.removeAll(keepingCapacity: true)
    }
  }
}
