import Dispatch
import Overmorrow

/// The rows for Overmorrow's promises.
enum OvermorrowRows {
  static func workload(for row: Row) -> Workload? {
    switch row {
    case .a: create
    case .b: createAndFulfill
    case .c: observeResolved
    case .d: mapChain
    case .e: queueChain
    case .f: flatMapChain
    case .g: observers
    case .h: all
    case .i: contended
    case .k: cancelChain
    case .l: awaitResolved
    case .m: awaitPending
    case .n: mapChainCapturing
    case .o: observersCapturing
    case .p: observeResolvedCapturing
    case .q: tokenChain
    case .r: boundChain
    case .s: mapChainOfBlocks
    case .t: mapChainUnspecialized
    case .u: reportsCapturing
    case .v: awaitClosure
    case .ca, .cb, .cc, .cd, .ce, .cf, .cg, .ch: CacheRows.workload(for: row)
    case .la, .lb, .lc, .ld, .ra, .rb, .ta, .tb: LimitRows.workload(for: row)
    case .ga, .gb, .ba, .bd, .sa, .sb, .sc: OverloadRows.workload(for: row)
    case .st: StackRows.workload
    case .bb, .bc: BatchRows.workload(for: row)
    case .rd: { recordingTrails($0, mapChain) }
    case .rf: { recordingTrails($0, flatMapChain) }
    }
  }

  private typealias P = Promise<Int, any Error>

  private static func recordingTrails(_ count: Int, _ workload: Workload) {
    PromiseDiagnostics.recordsTrails = true
    defer { PromiseDiagnostics.recordsTrails = false }
    workload(count)
  }

  private static func create(_ count: Int) {
    for value in 0..<count { blackHole(P(fulfilled: value)) }
  }

  private static func createAndFulfill(_ count: Int) {
    for value in 0..<count {
      let (promise, resolver) = P.makeWithResolver()
      resolver.fulfill(with: value)
      blackHole(promise)
    }
  }

  private static func observeResolved(_ count: Int) {
    let promise = P(fulfilled: 1)
    for _ in 0..<count { promise.then(on: .immediate) { blackHole($0) } }
  }

  private static func mapChain(_ count: Int) {
    for round in 0..<count / Row.d.group {
      let (root, resolver) = P.makeWithResolver()
      var last = root
      for _ in 0..<Row.d.group { last = last.map(on: .immediate) { $0 &+ 1 } }
      resolver.fulfill(with: round)
      if round == 0 { expect(last.result?.value == Row.d.group, .d) }
      blackHole(last)
    }
  }

  private static func flatMapChain(_ count: Int) {
    for round in 0..<count / Row.f.group {
      let (root, resolver) = P.makeWithResolver()
      var last = root
      for _ in 0..<Row.f.group { last = last.flatMap(on: .immediate) { P(fulfilled: $0 &+ 1) } }
      resolver.fulfill(with: round)
      if round == 0 { expect(last.result?.value == Row.f.group, .f) }
      blackHole(last)
    }
  }

  private static func queueChain(_ count: Int) {
    let context = PromiseContext.queue(DispatchQueue(label: "row e"))
    let done = DispatchSemaphore(value: 0)
    for round in 0..<count / Row.e.group {
      let (root, resolver) = P.makeWithResolver()
      var last = root
      for _ in 1..<Row.e.group { last = last.map(on: context) { $0 &+ 1 } }
      last.then(on: context) { value in
        if round == 0 { expect(value == Row.e.group - 1, .e) }
        done.signal()
      }
      resolver.fulfill(with: round)
      done.wait()
    }
  }

  private static func observers(_ count: Int) {
    for round in 0..<count / Row.g.group {
      let (promise, resolver) = P.makeWithResolver()
      for _ in 0..<Row.g.group { promise.then(on: .immediate) { blackHole($0) } }
      resolver.fulfill(with: round)
    }
  }

  private static func all(_ count: Int) {
    let group = Row.h.group
    // Reused in each round, so that the row measures promises and not arrays.
    var promises: [P] = []
    var resolvers: [P.Resolver] = []
    promises.reserveCapacity(group)
    resolvers.reserveCapacity(group)
    for round in 0..<count / group {
      for _ in 0..<group {
        let (promise, resolver) = P.makeWithResolver()
        promises.append(promise)
        resolvers.append(resolver)
      }
      let all = when(fulfilled: promises)
      for index in 0..<group { resolvers[index].fulfill(with: index) }
      if round == 0 { expect(all.result?.value == Array(0..<group), .h) }
      blackHole(all)
      promises.removeAll(keepingCapacity: true)
      resolvers.removeAll(keepingCapacity: true)
    }
  }

  private static func contended(_ count: Int) {
    let contest = Contest()
    for round in 0..<count / Row.i.group {
      let (promise, resolver) = P.makeWithResolver()
      contest.round(
        register: { promise.then(on: .immediate) { blackHole($0) } },
        resolve: { resolver.fulfill(with: round) }
      )
    }
  }

  private static func cancelChain(_ count: Int) {
    for round in 0..<count / Row.k.group {
      let (last, resolver) = cancellableChain()
      last.requestCancel()
      if round == 0 { expect(last.result?.isCancelled == true, .k) }
      blackHole(last)
      blackHole(resolver)
    }
  }

  /// Returns a pending promise that is cancelled on request, followed by ten steps, of which only the last has a
  /// handle.
  @inline(never)
  private static func cancellableChain() -> (last: P, resolver: P.Resolver) {
    let (root, resolver) = P.makeWithResolver()
    resolver.onRequestCancel(on: .immediate) { $0.cancel() }
    var last = root
    for _ in 0..<Row.k.group { last = last.map(on: .immediate) { $0 &+ 1 } }
    return (last, resolver)
  }
}
