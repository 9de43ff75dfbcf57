import Overmorrow
import Testing

/// Tokens, each with a promise and a callback; what happens to them one after the other, and what has become of them then.
struct TokenScenario: Sendable, CustomTestStringConvertible {
  enum Step: Sendable {
    /// The first follows the second; whether also when that cancels without invalidating.
    case follow(Int, Int, includingCancel: Bool = true)
    case invalidate(Int)
    case cancelWithoutInvalidating(Int)
    /// The token goes.
    case end(Int)
  }

  let testDescription: String
  let steps: [Step]
  /// The tokens whose promises have been asked to cancel, and those whose callbacks do not run.
  let asked: Set<Int>
  let suppressed: Set<Int>
  /// The tokens that do not invalidate themselves when they go.
  let quiet: Set<Int>

  init(_ sentence: String, _ steps: [Step], asked: Set<Int>, suppressed: Set<Int>? = nil, quiet: Set<Int> = []) {
    testDescription = sentence
    self.steps = steps
    self.asked = asked
    self.suppressed = suppressed ?? asked
    self.quiet = quiet
  }
}

extension TokenScenario {
  static let all = ends + cancels + shapes

  private static let ends = [
    TokenScenario(
      "the end of a token invalidates it, and what it follows does not keep it", [.follow(1, 0), .end(1)], asked: [1]),
    TokenScenario(
      "a token that follows another does not keep that, whose end invalidates it", [.follow(1, 0), .end(0)],
      asked: [0, 1]),
    TokenScenario(
      "the end of a token that was told otherwise invalidates none", [.follow(1, 0), .end(0)], asked: [], quiet: [0]),
    TokenScenario(
      "a token that was told not to invalidate itself does what it is asked to", [.invalidate(0), .end(0)], asked: [0],
      quiet: [0]),
    TokenScenario(
      "when a token in the middle has gone, those that followed it do not hear of the root any more",
      [.follow(1, 0), .follow(2, 1), .end(1), .invalidate(0)], asked: [0], quiet: [1]),
    TokenScenario(
      "a dead child is skipped, and its siblings are not",
      [
        .follow(1, 0), .end(1), .follow(2, 0), .follow(3, 0), .end(3), .follow(4, 0), .follow(5, 0), .end(5),
        .invalidate(0),
      ],
      asked: [0, 2, 4], quiet: [1, 3, 5]),
    TokenScenario(
      "the end of a token in a cycle invalidates the others", [.follow(1, 0), .follow(0, 1), .end(1)], asked: [0, 1]),
  ]

  private static let cancels = [
    TokenScenario(
      "cancelWithoutInvalidating is followed by default, and suppresses nothing",
      [.follow(1, 0), .cancelWithoutInvalidating(0)], asked: [0, 1], suppressed: []),
    TokenScenario(
      "cancelWithoutInvalidating is not followed by a child that was told so, nor by its children",
      [.follow(1, 0, includingCancel: false), .follow(2, 1), .cancelWithoutInvalidating(0)], asked: [0], suppressed: []),
    TokenScenario(
      "an invalidation is followed by a child that was told not to follow cancelWithoutInvalidating, and by its children",
      [.follow(1, 0, includingCancel: false), .follow(2, 1), .invalidate(0)], asked: [0, 1, 2]),
    TokenScenario(
      "chained both ways, with and without, the wider way counts",
      [.follow(1, 0, includingCancel: false), .follow(1, 0), .cancelWithoutInvalidating(0)],
      asked: [0, 1], suppressed: []),
  ]

  private static let shapes =
    [
      TokenScenario(
        "invalidating a token invalidates those that follow it", [.follow(1, 0), .invalidate(0)], asked: [0, 1]),
      TokenScenario("invalidating a token leaves alone what it follows", [.follow(1, 0), .invalidate(1)], asked: [1]),
      TokenScenario("an invalidation reaches the whole tree", tree + [.invalidate(0)], asked: Set(0..<13)),
      TokenScenario(
        "an invalidation reaches no more than its own branch", tree + [.invalidate(2)], asked: [2, 7, 8, 9]),
      TokenScenario(
        "a token that is reached by two ways is invalidated with all it has",
        [.follow(1, 0), .follow(2, 0), .follow(3, 1), .follow(3, 2), .invalidate(0)], asked: [0, 1, 2, 3]),
    ]
    + (1...4).flatMap { length in
      let ring = (0..<length).map { Step.follow($0, ($0 + 1) % length) }
      return [
        TokenScenario("a cycle of \(length) ends", ring + [.invalidate(length / 2)], asked: Set(0..<length)),
        TokenScenario(
          "a cycle of \(length) ends, that is only cancelled", ring + [.cancelWithoutInvalidating(length / 2)],
          asked: Set(0..<length), suppressed: []),
      ]
    }

  /// A root with three children, each of which has three.
  private static let tree = (1..<13).map { Step.follow($0, ($0 - 1) / 3) }
}

/// Tokens that follow other tokens.
@Suite(.inTurn) struct TokenChainingTests {
  @Test("4.3 4.4 an invalidation reaches each token that follows, once, and no other", arguments: TokenScenario.all)
  func reaches(in scenario: TokenScenario) throws {
    let (probes, calls) = ((0..<13).map { _ in IntProbe() }, (0..<13).map { _ in Counter() })
    var tokens = probes.indices.map { index -> PromiseInvalidationToken? in
      let token = PromiseInvalidationToken(invalidateOnDeinit: !scenario.quiet.contains(index))
      probes[index].promise.requestCancelOnInvalidate(token)
      probes[index].promise.then(on: .immediate, token: token) { [call = calls[index]] _ in call.increment() }
      return token
    }
    for step in scenario.steps {
      switch step {
      case .follow(let follower, let other, let includingCancel):
        let (follower, other) = try (#require(tokens[follower]), #require(tokens[other]))
        follower.chainInvalidation(from: other, includingCancelWithoutInvalidating: includingCancel)
      case .invalidate(let index): tokens[index]?.invalidate()
      case .cancelWithoutInvalidating(let index): tokens[index]?.cancelWithoutInvalidating()
      case .end(let index): tokens[index] = nil
      }
    }
    #expect(probes.map(\.requestCount) == probes.indices.map { scenario.asked.contains($0) ? 1 : 0 })
    for probe in probes { probe.resolver.fulfill(with: 1) }
    #expect(calls.map(\.count) == probes.indices.map { scenario.suppressed.contains($0) ? 0 : 1 })
    withExtendedLifetime(tokens) {}
  }

  @Test(
    "4.2 4.4 4.7 no callback of a token, or of one that follows it, sees the cancellations that an invalidation asks for; cancelWithoutInvalidating only asks",
    arguments: [(0, 0), (0, 1), (1, 0)], [true, false])
  func suppressesFirst(roles: (asking: Int, suppressing: Int), isInvalidation: Bool) {
    let tokens = [PromiseInvalidationToken(), PromiseInvalidationToken()]
    tokens[1].chainInvalidation(from: tokens[0])
    let (log, probe) = (Recorder<String>(), IntProbe(complying: true))
    probe.promise.requestCancelOnInvalidate(tokens[roles.asking])
    let token = tokens[roles.suppressing]
    probe.promise.always(on: .immediate, token: token) { log.record("always \($0)") }
    probe.promise.onCancel(on: .immediate, token: token) { log.record("onCancel") }
    if isInvalidation { tokens[0].invalidate() } else { tokens[0].cancelWithoutInvalidating() }
    #expect(probe.requestCount == 1)
    #expect(probe.promise.result == .cancelled)
    #expect(log.entries == (isInvalidation ? [] : ["always cancelled", "onCancel"]))
    withExtendedLifetime(tokens) {}
  }

  @Test("4.4 a chain of 20,000 tokens is invalidated, and goes, on a small stack")
  func longChain() async throws {
    let probe = IntProbe()
    let isAsked = try await onSmallStack {
      var tokens = [PromiseInvalidationToken()]
      probe.promise.requestCancelOnInvalidate(tokens[0])
      for _ in 0..<scaled(20_000) {
        let parent = PromiseInvalidationToken()
        tokens[tokens.count - 1].chainInvalidation(from: parent)
        tokens.append(parent)
      }
      tokens[tokens.count - 1].invalidate()
      return probe.requestCount == 1
    }
    #expect(isAsked)
  }
}
