import Dispatch
import Testing

@testable import Overmorrow

extension StressTests {
  /// Long chains on a stack of 512 KiB.
  @Suite struct DepthTests {
    typealias Subject = Promise<Int, Never>

    private static func chain(from first: Subject, links: Int = manyLinks) -> Subject {
      var last = first
      for _ in 0..<links { last = last.map(on: .immediate) { $0 + 1 } }
      return last
    }

    @Test("a chain of a million maps resolves without recursion")
    func mapsResolve() async {
      let result = await onSmallStack {
        let (promise, resolver) = Subject.makeWithResolver()
        let last = Self.chain(from: promise, links: aMillion)
        resolver.fulfill(with: 0)
        return last.result
      }
      #expect(result == .value(aMillion))
    }

    @Test("a chain of a million maps that is dropped unresolved is cancelled without recursion, and leaves nothing")
    func mapsDropped() async {
      let tracker = Tracker()
      let result = await onSmallStack {
        var (promise, resolver): (Subject?, Subject.Resolver?) = (nil, nil)
        (promise, resolver) = { ($0.0, $0.1) }(Subject.makeWithResolver())
        var last = promise!.map(on: .immediate) { [tracked = tracker.make()] in withExtendedLifetime(tracked) { 0 } + $0
        }
        promise = nil
        last = Self.chain(from: last, links: aMillion)
        withExtendedLifetime(resolver) {}
        resolver = nil
        return last.result
      }
      #expect(result == .cancelled)
      #expect(tracker.count == 0)
    }

    @Test("a request to cancel goes up a long chain without recursion")
    func cancelsUp() async {
      let isRequested = await onSmallStack {
        let (last, resolver) = {
          let (promise, resolver) = Subject.makeWithResolver()
          return (Self.chain(from: promise), resolver)
        }()
        last.requestCancel()
        return resolver.hasRequestedCancel
      }
      #expect(isRequested)
    }

    @Test("a million promises, each adopting the next, resolve in whichever order they were linked")
    func adopting() async {
      // Side by side: one of these keeps one processor busy.
      async let backward = Self.resolvesFollowers(linkedBackward: true)
      #expect(await Self.resolvesFollowers(linkedBackward: false))
      #expect(await backward)
    }

    @Test("a million promises, each adopting the next, are cancelled when the last resolver is dropped")
    func adoptingDropped() async {
      async let backward = Self.dropsFollowers(linkedBackward: true)
      #expect(await Self.dropsFollowers(linkedBackward: false) == .cancelled)
      #expect(await backward == .cancelled)
    }

    private static func resolvesFollowers(linkedBackward: Bool) async -> Bool {
      await onSmallStack {
        let followers = Followers(aMillion, linkedBackward: linkedBackward)
        followers.resolvers[aMillion].fulfill(with: 7)
        for promise in followers.promises { guard case .value(7) = promise.result else { return false } }
        return true
      }
    }

    private static func dropsFollowers(linkedBackward: Bool) async -> PromiseResult<Int, Never>? {
      await onSmallStack {
        var followers = Followers(aMillion, linkedBackward: linkedBackward)
        let first = followers.promises[0]
        followers.promises = []
        followers.resolvers = []
        return first.result
      }
    }

    /// Promises each of which adopts the next one; the last one is unresolved.
    private struct Followers {
      var promises: [Subject] = []
      var resolvers: [Subject.Resolver] = []

      init(_ count: Int, linkedBackward: Bool) {
        for _ in 0...count {
          let (promise, resolver) = Subject.makeWithResolver()
          promises.append(promise)
          resolvers.append(resolver)
        }
        for step in 0..<count {
          let index = linkedBackward ? count - 1 - step : step
          resolvers[index].resolve(with: promises[index + 1])
        }
      }
    }

    @Test("a long list of promises, each the value of the one before, goes without recursion")
    func nestedValues() async {
      let tracker = Tracker()
      await onSmallStack {
        var node = Node(next: nil, tracked: tracker.make())
        for _ in 0..<manyLinks { node = Node(next: Promise(fulfilled: node), tracked: tracker.make()) }
      }
      #expect(tracker.count == 0)
    }

    private struct Node: Sendable {
      let next: Promise<Node, Never>?
      let tracked: Tracker.Tracked
    }

    @Test("callbacks that each resolve the next of many promises do not recurse")
    func nestedResolves() async {
      let result = await onSmallStack {
        let pairs = (0...manyLinks).map { _ in Subject.makeWithResolver() }
        for index in 0..<manyLinks {
          let next = pairs[index + 1].1
          pairs[index].0.then(on: .immediate) { next.fulfill(with: $0 + 1) }
        }
        pairs[0].1.fulfill(with: 0)
        return pairs[manyLinks].0.result
      }
      #expect(result == .value(manyLinks))
    }

    @Test("callbacks that each make, observe and resolve the next promise do not recurse, and keep nothing")
    func recursiveThen() async {
      let tracker = Tracker()
      let (last, most) = await onSmallStack {
        let (last, most) = (Recorder<Int>(), Most())
        @Sendable func next(_ number: Int) {
          if number.isMultiple(of: 64) { most.see(tracker.count) }
          guard number < manyLinks else { return last.record(number) }
          let (promise, resolver) = Subject.makeWithResolver()
          promise.then(on: .immediate) { [tracked = tracker.make()] number in
            withExtendedLifetime(tracked) {}
            next(number + 1)
          }
          resolver.fulfill(with: number)
        }
        next(0)
        return (last.entries, most.value)
      }
      #expect(last == [manyLinks])
      #expect(most < 100)
      #expect(tracker.count == 0)
    }
  }
}
