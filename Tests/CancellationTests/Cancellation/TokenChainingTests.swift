import Overmorrow
import Testing

/// Tokens that follow other tokens.
@Suite(.inTurn) struct TokenChainingTests {
  private let child = Watched()

  /// A token with a promise and a callback, to see what is done to it.
  private struct Watched {
    let token: PromiseInvalidationToken
    private let probe = IntProbe()
    private let calls = Counter()

    init(invalidateOnDeinit: Bool = true) {
      token = PromiseInvalidationToken(invalidateOnDeinit: invalidateOnDeinit)
      probe.promise.requestCancelOnInvalidate(token)
      probe.promise.then(on: .immediate, token: token) { [calls] _ in calls.increment() }
    }

    var isAsked: Bool { probe.requestCount == 1 }

    /// Whether the callback has been suppressed. Resolves the promise to find out, so it may be asked once.
    func isSuppressed() -> Bool {
      probe.resolver.fulfill(with: 1)
      return calls.count == 0
    }
  }

  private let parent = PromiseInvalidationToken()

  @Test("4.4 invalidating a token invalidates those that follow it, and not the other way round")
  func follows() {
    let root = Watched()
    child.token.chainInvalidation(from: root.token)
    child.token.invalidate()
    #expect(child.isAsked)
    #expect(!root.isAsked)
    #expect(!root.isSuppressed())
    let second = Watched()
    second.token.chainInvalidation(from: root.token)
    root.token.invalidate()
    #expect(second.isAsked)
    #expect(second.isSuppressed())
  }

  @Test("4.4 an invalidation reaches the whole tree")
  func tree() {
    let children = (0..<3).map { _ in Watched() }
    let grandchildren = (0..<9).map { _ in Watched() }
    for child in children { child.token.chainInvalidation(from: parent) }
    for (index, grandchild) in grandchildren.enumerated() {
      grandchild.token.chainInvalidation(from: children[index / 3].token)
    }
    children[1].token.invalidate()
    #expect(grandchildren.map(\.isAsked) == (0..<9).map { $0 / 3 == 1 })
    parent.invalidate()
    #expect((children + grandchildren).allSatisfy { $0.isAsked })
    #expect((children + grandchildren).allSatisfy { $0.isSuppressed() })
  }

  @Test("4.4 a chain stays for ever: each invalidation of the parent counts")
  func permanent() {
    let child = PromiseInvalidationToken()
    child.chainInvalidation(from: parent)
    for _ in 0..<3 {
      let probe = IntProbe()
      probe.promise.requestCancelOnInvalidate(child)
      probe.promise.then(on: .immediate, token: child) { _ in Issue.record("suppressed callback runs") }
      parent.invalidate()
      #expect(probe.requestCount == 1)
      probe.resolver.fulfill(with: 1)
    }
  }

  @Test("4.4 a callback registered with the child after the parent's invalidation runs")
  func registeredAfter() {
    let child = PromiseInvalidationToken()
    let calls = Counter()
    child.chainInvalidation(from: parent)
    parent.invalidate()
    Promise<Int, Flaw>(fulfilled: 1).then(on: .immediate, token: child) { _ in calls.increment() }
    #expect(calls.count == 1)
  }

  @Test("4.4 a dead child is skipped, and its siblings are not", arguments: 0..<3)
  func deadChild(index: Int) {
    let watched = (0..<3).map { _ in Watched() }
    for (number, child) in watched.enumerated() {
      if number == index { PromiseInvalidationToken().chainInvalidation(from: parent) }
      child.token.chainInvalidation(from: parent)
    }
    parent.invalidate()
    #expect(watched.allSatisfy { $0.isAsked })
  }

  @Test("4.4 the parent does not keep the child, whose end invalidates it")
  func parentDoesNotKeepChild() {
    let probe = IntProbe()
    do {
      let child = PromiseInvalidationToken()
      child.chainInvalidation(from: parent)
      probe.promise.requestCancelOnInvalidate(child)
      #expect(probe.requestCount == 0)
    }
    #expect(probe.requestCount == 1)
  }

  @Test("4.4 the child does not keep the parent, whose end invalidates the child", arguments: [true, false])
  func endOfParent(invalidateOnDeinit: Bool) {
    do {
      let parent = PromiseInvalidationToken(invalidateOnDeinit: invalidateOnDeinit)
      child.token.chainInvalidation(from: parent)
    }
    #expect(child.isAsked == invalidateOnDeinit)
    #expect(child.isSuppressed() == invalidateOnDeinit)
  }

  @Test("4.4 when a token in the middle has gone, those that followed it do not hear of the root any more")
  func endOfTheMiddle() {
    let leaf = Watched()
    do {
      let middle = PromiseInvalidationToken(invalidateOnDeinit: false)
      middle.chainInvalidation(from: parent)
      leaf.token.chainInvalidation(from: middle)
    }
    parent.invalidate()
    #expect(!leaf.isAsked)
    #expect(!leaf.isSuppressed())
  }

  @Test("4.4 cancelWithoutInvalidating is followed by default, and suppresses nothing")
  func cancelIsFollowed() {
    child.token.chainInvalidation(from: parent)
    parent.cancelWithoutInvalidating()
    #expect(child.isAsked)
    #expect(!child.isSuppressed())
  }

  @Test("4.4 cancelWithoutInvalidating is not followed by a child that was told so, nor by its children")
  func cancelIsNotFollowed() {
    let grandchild = Watched()
    child.token.chainInvalidation(from: parent, includingCancelWithoutInvalidating: false)
    grandchild.token.chainInvalidation(from: child.token)
    parent.cancelWithoutInvalidating()
    #expect(!child.isAsked)
    #expect(!grandchild.isAsked)
    parent.invalidate()
    #expect(child.isAsked)
    #expect(grandchild.isAsked)
    #expect(child.isSuppressed())
    #expect(grandchild.isSuppressed())
  }

  @Test("4.4 chained both ways, with and without, the wider way counts")
  func chainedTwice() {
    child.token.chainInvalidation(from: parent, includingCancelWithoutInvalidating: false)
    child.token.chainInvalidation(from: parent)
    parent.cancelWithoutInvalidating()
    #expect(child.isAsked)
  }

  @Test("4.4 a cycle ends, and reaches every token once", arguments: 1...4, [true, false])
  func cycle(length: Int, suppressing: Bool) {
    let ring = (0..<length).map { _ in Watched() }
    for index in 0..<length { ring[index].token.chainInvalidation(from: ring[(index + 1) % length].token) }
    let start = ring[length / 2].token
    if suppressing { start.invalidate() } else { start.cancelWithoutInvalidating() }
    #expect(ring.allSatisfy { $0.isAsked })
    #expect(ring.allSatisfy { $0.isSuppressed() == suppressing })
  }

  @Test("4.4 the end of a token in a cycle invalidates the others")
  func endInACycle() {
    let other = Watched()
    do {
      let token = PromiseInvalidationToken()
      token.chainInvalidation(from: other.token)
      other.token.chainInvalidation(from: token)
    }
    #expect(other.isAsked)
    #expect(other.isSuppressed())
  }

  @Test("4.4 a token that is reached by two ways is invalidated with all it has")
  func diamond() {
    let (left, right) = (PromiseInvalidationToken(), PromiseInvalidationToken())
    let bottom = Watched()
    left.chainInvalidation(from: parent)
    right.chainInvalidation(from: parent)
    bottom.token.chainInvalidation(from: left)
    bottom.token.chainInvalidation(from: right)
    parent.invalidate()
    #expect(bottom.isAsked)
    #expect(bottom.isSuppressed())
  }

  @Test("4.4 4.7 no callback in the tree sees the cancellation of a promise in the tree", arguments: [true, false])
  func suppressesFirst(promiseIsInTheRoot: Bool) {
    let child = PromiseInvalidationToken()
    child.chainInvalidation(from: parent)
    let probe = IntProbe(complying: true)
    probe.promise.requestCancelOnInvalidate(promiseIsInTheRoot ? parent : child)
    probe.promise.always(on: .immediate, token: promiseIsInTheRoot ? child : parent) { _ in
      Issue.record("suppressed callback runs")
    }
    parent.invalidate()
    #expect(probe.promise.result == .cancelled)
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
