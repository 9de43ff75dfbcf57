import Dispatch
import Testing

@testable import Overmorrow

extension StressTests {
  /// Long chains on a stack of 512 KiB.
  @Suite struct DepthTests {
    typealias Subject = Promise<Int, Never>

    private static func chain(from first: Subject) -> Subject {
      var last = first
      for _ in 0..<manyLinks { last = last.map(on: .immediate) { $0 + 1 } }
      return last
    }

    @Test("a long chain of maps resolves without recursion")
    func mapsResolve() async {
      let result = await onSmallStack {
        let (promise, resolver) = Subject.makeWithResolver()
        let last = Self.chain(from: promise)
        resolver.fulfill(with: 0)
        return last.result
      }
      #expect(result == .value(manyLinks))
    }

    @Test("a long chain of maps that is dropped unresolved is cancelled without recursion, and leaves nothing")
    func mapsDropped() async {
      let tracker = Tracker()
      let result = await onSmallStack {
        var (promise, resolver): (Subject?, Subject.Resolver?) = (nil, nil)
        (promise, resolver) = { ($0.0, $0.1) }(Subject.makeWithResolver())
        var last = promise!.map(on: .immediate) { [tracked = tracker.make()] in withExtendedLifetime(tracked) { 0 } + $0
        }
        promise = nil
        last = Self.chain(from: last)
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

    @Test(
      "any number of promises, each adopting the next, resolve in whichever order they were linked",
      arguments: [false, true])
    func adopting(_ isBackward: Bool) async {
      let isRight = await onSmallStack {
        let pairs = (0...manyLinks).map { _ in Subject.makeWithResolver() }
        let order = Array(0..<manyLinks)
        for index in isBackward ? order.reversed() : order { pairs[index].1.resolve(with: pairs[index + 1].0) }
        pairs[manyLinks].1.fulfill(with: 7)
        return pairs.allSatisfy { $0.0.result == .value(7) }
      }
      #expect(isRight)
    }

    @Test(
      "any number of promises, each adopting the next, are cancelled when the last resolver is dropped",
      arguments: [false, true])
    func adoptingDropped(_ isBackward: Bool) async {
      let isRight = await onSmallStack {
        var pairs = (0...manyLinks).map { _ in Subject.makeWithResolver() }
        let first = pairs[0].0
        let order = Array(0..<manyLinks)
        for index in isBackward ? order.reversed() : order { pairs[index].1.resolve(with: pairs[index + 1].0) }
        pairs = []
        return first.result == .cancelled
      }
      #expect(isRight)
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

    @Test("callbacks that resolve the next promise nest 100,000 deep")
    func nestedResolves() async {
      let result = await onSmallStack {
        let pairs = (0...100_000).map { _ in Subject.makeWithResolver() }
        for index in 0..<100_000 {
          let next = pairs[index + 1].1
          pairs[index].0.then(on: .immediate) { next.fulfill(with: $0 + 1) }
        }
        pairs[0].1.fulfill(with: 0)
        return pairs[100_000].0.result
      }
      #expect(result == .value(100_000))
    }
  }
}
