import NIOCore
import NIOEmbedded

/// The rows whose callbacks capture an object, whose values are large, or whose code is generic.
extension NIORows {
  static func mapChainCapturing(_ count: Int) {
    let captured = Captured()
    let loop = embedded
    for round in 0..<count / Row.n.group {
      let root = loop.makePromise(of: Int.self)
      var last = root.futureResult
      for _ in 0..<Row.n.group { last = last.map { $0 &+ captured.number } }
      root.succeed(round)
      if round == 0 { last.whenSuccess { expect($0 == Row.n.group, .n) } }
      blackHole(last)
    }
  }

  static func observersCapturing(_ count: Int) {
    let captured = Captured()
    let loop = embedded
    for round in 0..<count / Row.o.group {
      let promise = loop.makePromise(of: Int.self)
      for _ in 0..<Row.o.group { promise.futureResult.whenSuccess { blackHole($0 &+ captured.number) } }
      promise.succeed(round)
    }
  }

  static func reportsCapturing(_ count: Int) {
    let captured = Captured()
    let loop = embedded
    for round in 0..<count / Row.u.group {
      let promise = loop.makePromise(of: Int.self)
      for _ in 0..<Row.u.group {
        promise.futureResult.whenComplete {
          if case .success(let value) = $0 { blackHole(value &+ captured.number) }
        }
      }
      promise.succeed(round)
    }
  }

  static func observeResolvedCapturing(_ count: Int) {
    let captured = Captured()
    let future = embedded.makeSucceededFuture(1)
    for _ in 0..<count { future.whenSuccess { blackHole($0 &+ captured.number) } }
  }

  static func mapChainOfBlocks(_ count: Int) {
    let loop = embedded
    for round in 0..<count / Row.s.group {
      let root = loop.makePromise(of: Block.self)
      var last = root.futureResult
      for _ in 0..<Row.s.group { last = last.map { $0.next } }
      root.succeed(Block(round))
      if round == 0 { last.whenSuccess { expect($0.first.0 == Row.s.group, .s) } }
      blackHole(last)
    }
  }

  static func mapChainUnspecialized(_ count: Int) {
    let loop = embedded
    for round in 0..<count / Row.t.group {
      let root = loop.makePromise(of: Int.self)
      var last = root.futureResult
      for _ in 0..<Row.t.group { last = step(after: last) { $0 &+ 1 } }
      root.succeed(round)
      if round == 0 { last.whenSuccess { expect($0 == Row.t.group, .t) } }
      blackHole(last)
    }
  }

  @inline(never) @_semantics("optimize.sil.specialize.generic.never")
  private static func step<Value: Sendable>(
    after future: EventLoopFuture<Value>, _ transform: @escaping @Sendable (Value) -> Value
  ) -> EventLoopFuture<Value> {
    future.map { transform($0) }
  }
}
