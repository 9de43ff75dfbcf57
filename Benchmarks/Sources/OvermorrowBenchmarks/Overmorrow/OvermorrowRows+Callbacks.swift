import Overmorrow

/// The rows whose callbacks capture an object, whose values are large, or whose code is generic or has tokens and
/// owners.
extension OvermorrowRows {
  private typealias P = Promise<Int, any Error>

  static func mapChainCapturing(_ count: Int) {
    let captured = Captured()
    for round in 0..<count / Row.n.group {
      let (root, resolver) = P.makeWithResolver()
      var last = root
      for _ in 0..<Row.n.group { last = last.map(on: .immediate) { $0 &+ captured.number } }
      resolver.fulfill(with: round)
      if round == 0 { expect(last.result?.value == Row.n.group, .n) }
      blackHole(last)
    }
  }

  static func observersCapturing(_ count: Int) {
    let captured = Captured()
    for round in 0..<count / Row.o.group {
      let (promise, resolver) = P.makeWithResolver()
      for _ in 0..<Row.o.group { promise.then(on: .immediate) { blackHole($0 &+ captured.number) } }
      resolver.fulfill(with: round)
    }
  }

  static func reportsCapturing(_ count: Int) {
    let captured = Captured()
    for round in 0..<count / Row.u.group {
      let (promise, resolver) = P.makeWithResolver()
      for _ in 0..<Row.u.group {
        promise.tap(on: .immediate) { if case .value(let value) = $0 { blackHole(value &+ captured.number) } }
      }
      resolver.fulfill(with: round)
    }
  }

  static func observeResolvedCapturing(_ count: Int) {
    let captured = Captured()
    let promise = P(fulfilled: 1)
    for _ in 0..<count { promise.then(on: .immediate) { blackHole($0 &+ captured.number) } }
  }

  static func tokenChain(_ count: Int) {
    let captured = Captured()
    let token = PromiseInvalidationToken()
    for round in 0..<count / Row.q.group {
      let (root, resolver) = P.makeWithResolver()
      var last = root
      for _ in 0..<Row.q.group { last = last.map(on: .immediate, token: token) { $0 &+ captured.number } }
      resolver.fulfill(with: round)
      if round == 0 { expect(last.result?.value == Row.q.group, .q) }
      blackHole(last)
    }
  }

  static func boundChain(_ count: Int) {
    let owner = Captured()
    for round in 0..<count / Row.r.group {
      let (root, resolver) = P.makeWithResolver()
      var last = root.bound(to: owner)
      for _ in 0..<Row.r.group { last = last.map(on: .immediate) { owner, value in value &+ owner.number } }
      resolver.fulfill(with: round)
      if round == 0 { expect(last.inner.result?.value == Row.r.group, .r) }
      blackHole(last)
    }
  }

  static func mapChainOfBlocks(_ count: Int) {
    for round in 0..<count / Row.s.group {
      let (root, resolver) = Promise<Block, any Error>.makeWithResolver()
      var last = root
      for _ in 0..<Row.s.group { last = last.map(on: .immediate) { $0.next } }
      resolver.fulfill(with: Block(round))
      if round == 0 { expect(last.result?.value?.first.0 == Row.s.group, .s) }
      blackHole(last)
    }
  }

  static func mapChainUnspecialized(_ count: Int) {
    for round in 0..<count / Row.t.group {
      let (root, resolver) = P.makeWithResolver()
      var last = root
      for _ in 0..<Row.t.group { last = step(after: last) { $0 &+ 1 } }
      resolver.fulfill(with: round)
      if round == 0 { expect(last.result?.value == Row.t.group, .t) }
      blackHole(last)
    }
  }

  @inline(never) @_semantics("optimize.sil.specialize.generic.never")
  private static func step<Value: Sendable>(
    after promise: Promise<Value, any Error>, _ transform: @escaping @Sendable (Value) -> Value
  ) -> Promise<Value, any Error> {
    promise.map(on: .immediate) { transform($0) }
  }
}
