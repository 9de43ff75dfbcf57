import Dispatch
import Testing

@testable import Overmorrow
@testable import OvermorrowEngine

/// Chains and graphs of tokens, and the idle state of invalidated tokens.
@Suite(.heavy) struct TokenForestTests {
  /// Makes tokens each of which follows the previous one.
  private static func chain(_ count: Int) -> [PromiseInvalidationToken?] {
    let tokens = (0..<count).map { _ in PromiseInvalidationToken() }
    for index in 1..<count { tokens[index].chainInvalidation(from: tokens[index - 1]) }
    return tokens
  }

  @Test("4.5 releasing a chain of tokens from the front takes linear time")
  func parentFirst() {
    let times = [scaled(4000), scaled(40_000)].map { count in
      var tokens = Self.chain(count)
      let begin = processorTimeOfThread()
      for index in tokens.indices { tokens[index] = nil }
      return processorTimeOfThread() - begin
    }
    // Ten times as many tokens would take a hundred times as long if each one walked through all that follow it.
    #expect(times[1] < max(times[0] * 40, .seconds(1)), "\(times)")
  }

  @Test("4.5 an invalidation makes followers idle, and a registration wakes its token and those above")
  func quiet() {
    let tokens = Self.chain(6).compactMap { $0 }
    func idleTokens() -> [Int] { tokens.indices.filter { tokens[$0].storage.change { $0.isIdle } } }
    #expect(idleTokens() == [])
    tokens[0].invalidate()
    // The first token follows no other and is never idle, so an unchained token pays nothing for this.
    #expect(idleTokens() == [1, 2, 3, 4, 5])
    _ = tokens[3].gate
    #expect(idleTokens() == [4, 5])
    tokens[3].invalidate()
    #expect(idleTokens() == [3, 4, 5])
    let probe = IntProbe()
    probe.promise.requestCancelOnInvalidate(tokens[5])
    #expect(idleTokens() == [])
    tokens[1].cancelWithoutInvalidating()
    #expect(idleTokens() == [])
    #expect(probe.requestCount == 1)
    // A new token at the end, which may get callbacks, wakes the tokens that it follows.
    tokens[0].invalidate()
    PromiseInvalidationToken().chainInvalidation(from: tokens[2])
    #expect(idleTokens() == [3, 4, 5])
  }

  @Test("4.2 4.3 4.4 chained tokens, invalidated and released at random, behave as in a naive model")
  func model() {
    for seed in 0..<UInt64(scaled(400)) {
      var generator = SeededGenerator(seed: seed)
      var model = Model()
      for _ in 0..<120 {
        model.step(&generator)
        if let finding = model.finding {
          Issue.record("seed \(seed): \(finding)")
          return
        }
      }
    }
  }

  @Test("4.1 4.4 an invalidation finds earlier registrations even if other threads invalidate at the same time")
  func racing() async {
    let tokens = Self.chain(4).compactMap { $0 }
    let (missed, done) = (Counter(), Latch(4))
    let deadline = ContinuousClock.now.advanced(by: .seconds(2))
    for thread in 0..<4 {
      DispatchQueue.global().async {
        var generator = SeededGenerator(seed: UInt64(thread))
        while ContinuousClock.now < deadline {
          let bottom = Int.random(in: 0..<4, using: &generator)
          let gate = tokens[bottom].gate
          tokens[Int.random(in: 0...bottom, using: &generator)].invalidate()
          if !gate.isShut { missed.increment() }
        }
        done.signal()
      }
    }
    await done.wait(for: "four threads")
    #expect(missed.count == 0)
  }

  /// Tokens, and the expected state of everything registered with each.
  private struct Model {
    private struct Registration {
      let token: Int
      let probe = IntProbe()
      let gate: Gate
      var isAsked = false
      var isShut = false
    }

    private var tokens: [PromiseInvalidationToken?] = []
    /// The tokens that are not invalidated when they are released.
    private var keepingCallbacks: Set<Int> = []
    private var edges: [(from: Int, to: Int, includingCancel: Bool)] = []
    private var registrations: [Registration] = []

    /// A deviation from the expected state, or `nil`.
    var finding: String? {
      for (index, each) in registrations.enumerated() {
        if each.gate.isShut != each.isShut { return "the gate of \(index) is \(each.gate.isShut ? "shut" : "open")" }
        if each.probe.requestCount != (each.isAsked ? 1 : 0) { return "\(index): \(each.probe.requestCount) requests" }
      }
      return nil
    }

    mutating func step(_ generator: inout SeededGenerator) {
      let alive = tokens.indices.filter { tokens[$0] != nil }
      guard let some = alive.randomElement(using: &generator), let token = tokens[some] else {
        return make(&generator)
      }
      if alive.count > 10 { return release(some) }
      switch Int.random(in: 0..<12, using: &generator) {
      case 0, 1: make(&generator)
      case 2, 3:
        guard let other = alive.randomElement(using: &generator), let follower = tokens[other] else { return }
        let includingCancel = Bool.random(using: &generator)
        follower.chainInvalidation(from: token, includingCancelWithoutInvalidating: includingCancel)
        edges.append((some, other, includingCancel))
      case 4, 5, 6, 7:
        let registration = Registration(token: some, gate: token.gate)
        registration.probe.promise.requestCancelOnInvalidate(token)
        registrations.append(registration)
      case 8, 9:
        expect(some, suppressing: true)
        token.invalidate()
      case 10:
        expect(some, suppressing: false)
        token.cancelWithoutInvalidating()
      default: release(some)
      }
    }

    private mutating func make(_ generator: inout SeededGenerator) {
      let keepsCallbacks = Int.random(in: 0..<4, using: &generator) == 0
      if keepsCallbacks { keepingCallbacks.insert(tokens.count) }
      tokens.append(PromiseInvalidationToken(invalidateOnDeinit: !keepsCallbacks))
    }

    private mutating func release(_ index: Int) {
      if !keepingCallbacks.contains(index) { expect(index, suppressing: true) }
      tokens[index] = nil
      edges.removeAll { $0.from == index || $0.to == index }
    }

    private mutating func expect(_ start: Int, suppressing: Bool) {
      var reached: Set = [start]
      var waiting = [start]
      while let next = waiting.popLast() {
        for edge in edges where edge.from == next && (suppressing || edge.includingCancel) {
          if reached.insert(edge.to).inserted { waiting.append(edge.to) }
        }
      }
      for index in registrations.indices where reached.contains(registrations[index].token) {
        registrations[index].isAsked = true
        if suppressing { registrations[index].isShut = true }
      }
    }
  }
}
