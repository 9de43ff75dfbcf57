import Dispatch
import NIOCore
import NIOEmbedded
import NIOPosix

/// The rows for SwiftNIO's futures.
///
/// All rows except e and i use one thread and an `EmbeddedEventLoop`, whose type the optimiser knows and which submits
/// nothing to another thread. This is the cheapest way to use these futures (row a costs 2,061 instructions on the
/// thread of a real event loop).
enum NIORows {
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
    case .l: awaitResolved
    case .m: awaitPending
    case .n: mapChainCapturing
    case .o: observersCapturing
    case .p: observeResolvedCapturing
    case .s: mapChainOfBlocks
    case .t: mapChainUnspecialized
    case .u: reportsCapturing
    default: nil
    }
  }

  static let embedded = EmbeddedEventLoop()
  private static let loop = MultiThreadedEventLoopGroup(numberOfThreads: 1).next()

  private static func create(_ count: Int) {
    let loop = embedded
    for value in 0..<count { blackHole(loop.makeSucceededFuture(value)) }
  }

  private static func createAndFulfill(_ count: Int) {
    let loop = embedded
    for value in 0..<count {
      let promise = loop.makePromise(of: Int.self)
      promise.succeed(value)
      blackHole(promise)
    }
  }

  private static func observeResolved(_ count: Int) {
    let loop = embedded
    let future = loop.makeSucceededFuture(1)
    for _ in 0..<count { future.whenSuccess { blackHole($0) } }
  }

  private static func mapChain(_ count: Int) {
    let loop = embedded
    for round in 0..<count / Row.d.group {
      let root = loop.makePromise(of: Int.self)
      var last = root.futureResult
      for _ in 0..<Row.d.group { last = last.map { $0 &+ 1 } }
      root.succeed(round)
      if round == 0 { last.whenSuccess { expect($0 == Row.d.group, .d) } }
      blackHole(last)
    }
  }

  private static func flatMapChain(_ count: Int) {
    let loop = embedded
    for round in 0..<count / Row.f.group {
      let root = loop.makePromise(of: Int.self)
      var last = root.futureResult
      // Does not use the local `loop`, because a closure that captures nothing needs no allocation.
      for _ in 0..<Row.f.group { last = last.flatMap { embedded.makeSucceededFuture($0 &+ 1) } }
      root.succeed(round)
      if round == 0 { last.whenSuccess { expect($0 == Row.f.group, .f) } }
      blackHole(last)
    }
  }

  private static func queueChain(_ count: Int) {
    let loop = loop
    let done = DispatchSemaphore(value: 0)
    for round in 0..<count / Row.e.group {
      let root = loop.makePromise(of: Int.self)
      var last = root.futureResult
      for _ in 1..<Row.e.group { last = last.map { $0 &+ 1 } }
      last.whenSuccess { value in
        if round == 0 { expect(value == Row.e.group - 1, .e) }
        done.signal()
      }
      root.succeed(round)
      done.wait()
    }
  }

  private static func observers(_ count: Int) {
    let loop = embedded
    for round in 0..<count / Row.g.group {
      let promise = loop.makePromise(of: Int.self)
      for _ in 0..<Row.g.group { promise.futureResult.whenSuccess { blackHole($0) } }
      promise.succeed(round)
    }
  }

  private static func all(_ count: Int) {
    let loop = embedded
    let group = Row.h.group
    var promises: [EventLoopPromise<Int>] = []
    var futures: [EventLoopFuture<Int>] = []
    promises.reserveCapacity(group)
    futures.reserveCapacity(group)
    for round in 0..<count / group {
      for _ in 0..<group {
        let promise = loop.makePromise(of: Int.self)
        promises.append(promise)
        futures.append(promise.futureResult)
      }
      let all = EventLoopFuture.whenAllSucceed(futures, on: loop)
      for index in 0..<group { promises[index].succeed(index) }
      if round == 0 { all.whenSuccess { expect($0 == Array(0..<group), .h) } }
      blackHole(all)
      promises.removeAll(keepingCapacity: true)
      futures.removeAll(keepingCapacity: true)
    }
  }

  private static func contended(_ count: Int) {
    let loop = loop
    let contest = Contest()
    for round in 0..<count / Row.i.group {
      let promise = loop.makePromise(of: Int.self)
      contest.round(
        register: { promise.futureResult.whenSuccess { blackHole($0) } },
        resolve: { promise.succeed(round) }
      )
    }
    // The callbacks run on the loop, and pending ones must be counted, too, so wait until the loop has run them.
    let drained = DispatchSemaphore(value: 0)
    loop.execute { drained.signal() }
    drained.wait()
  }
}
