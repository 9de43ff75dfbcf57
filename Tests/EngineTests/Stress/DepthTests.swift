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

    // The next two tests run their two cases in parallel. Each case keeps one processor busy.

    @Test("11.1 a million maps resolve, or are cancelled when released, and leave nothing behind")
    func maps() async throws {
      let tracker = Tracker()
      async let dropped = Self.endOfMaps(tracker, isResolved: false)
      #expect(try await Self.endOfMaps(tracker, isResolved: true) == .value(mostLinks))
      #expect(try await dropped == .cancelled)
      #expect(tracker.count == 0)
    }

    private static func endOfMaps(_ tracker: Tracker, isResolved: Bool) async throws -> PromiseResult<Int, Never>? {
      try await onSmallStack {
        var (promise, resolver): (Subject?, Subject.Resolver?) = { ($0.0, $0.1) }(Subject.makeWithResolver())
        var last = promise!.map(on: .immediate) { [tracked = tracker.make()] in withExtendedLifetime(tracked) { 0 } + $0
        }
        promise = nil
        last = chain(from: last, links: mostLinks)
        if isResolved { resolver?.fulfill(with: 0) }
        withExtendedLifetime(resolver) {}
        resolver = nil
        return last.result
      }
    }

    @Test("2.16 11.1 a long chain does not recurse on an executor that runs work inside enqueue")
    func inlineExecutor() async throws {
      let tracker = Tracker()
      let result = try await onSmallStack {
        let (first, resolver) = Subject.makeWithResolver()
        let context = PromiseContext.executor(RepeatingExecutor(times: 1))
        var last = first.map(on: context) { [tracked = tracker.make()] in withExtendedLifetime(tracked) { 0 } + $0 }
        for _ in 0..<manyLinks { last = last.map(on: context) { $0 + 1 } }
        resolver.fulfill(with: 0)
        return last.result
      }
      #expect(result == .value(manyLinks))
      #expect(tracker.count == 0)
    }

    @Test("1.8 11.1 a million adopting promises resolve, or are cancelled with the last resolver")
    func adopting() async throws {
      async let areCancelled = Self.followersEnd(areResolved: false)
      #expect(try await Self.followersEnd(areResolved: true))
      #expect(try await areCancelled)
    }

    /// Returns whether all promises resolve, or, without a result, whether the promises that are still retained are
    /// cancelled.
    private static func followersEnd(areResolved: Bool) async throws -> Bool {
      try await onSmallStack {
        var followers = Followers(mostLinks)
        if areResolved {
          followers.resolvers[mostLinks].fulfill(with: 7)
          return followers.promises.allSatisfy { $0.result == .value(7) }
        }
        let held = [0, mostLinks / 4, mostLinks / 2, mostLinks].map { followers.promises[$0] }
        followers.promises = []
        followers.resolvers = []
        return held.allSatisfy { $0.result == .cancelled }
      }
    }

    /// Promises each of which adopts the next one. The last one is unresolved. The links of the first half are made
    /// from first to last, those of the second half from last to first.
    private struct Followers {
      var promises: [Subject] = []
      var resolvers: [Subject.Resolver] = []

      init(_ count: Int) {
        for _ in 0...count {
          let (promise, resolver) = Subject.makeWithResolver()
          promises.append(promise)
          resolvers.append(resolver)
        }
        let middle = count / 2
        for index in 0..<middle { resolvers[index].resolve(with: promises[index + 1]) }
        for index in (middle..<count).reversed() { resolvers[index].resolve(with: promises[index + 1]) }
      }
    }

    @Test("11.1 a request to cancel is passed up a long chain without recursion")
    func cancelsUp() async throws {
      let isRequested = try await onSmallStack {
        let (last, resolver) = {
          let (promise, resolver) = Subject.makeWithResolver()
          return (Self.chain(from: promise), resolver)
        }()
        last.requestCancel()
        return resolver.hasRequestedCancel
      }
      #expect(isRequested)
    }

    @Test("11.1 a long list of promises within values is freed without recursion")
    func nestedValues() async throws {
      let tracker = Tracker()
      try await onSmallStack {
        var node = Node(next: nil, tracked: tracker.make())
        for _ in 0..<manyLinks { node = Node(next: Promise(fulfilled: node), tracked: tracker.make()) }
      }
      #expect(tracker.count == 0)
    }

    private struct Node: Sendable {
      let next: Promise<Node, Never>?
      let tracked: Tracker.Tracked
    }

    @Test("2.7 11.1 callbacks that each resolve the next of many promises do not recurse")
    func nestedResolves() async throws {
      let result = try await onOwnThread("callbacks that resolve the next promise") {
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

    @Test("2.7 11.1 callbacks that make and observe the next promise do not recurse or leak", arguments: [false, true])
    func recursiveThen(isResolvedBefore: Bool) async throws {
      let tracker = Tracker()
      let (last, most) = try await onSmallStack {
        let (last, most) = (Recorder<Int>(), Maximum())
        @Sendable func next(_ number: Int) {
          if number.isMultiple(of: 64) { most.record(tracker.count) }
          guard number < manyLinks else { return last.record(number) }
          let (promise, resolver) = Subject.makeWithResolver()
          if isResolvedBefore { resolver.fulfill(with: number) }
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

    @Test("2.7 a million links with siblings resolve in order on a small stack")
    func siblings() async throws {
      let tracker = Tracker()
      let (entries, result) = try await onSmallStack {
        let log = Recorder<Int>()
        let (first, resolver) = Subject.makeWithResolver()
        var last = first
        for link in 0..<mostLinks {
          let source = last
          source.then(on: .immediate) { _ in log.record(link) }
          last = source.map(on: .immediate) { $0 + 1 }
          source.then(on: .immediate, tracker.callback { _ in log.record(-link) })
        }
        resolver.fulfill(with: 0)
        return (log.entries, last.result)
      }
      // All the way down, then back. Not compared inside `#expect`, because the difference between so many entries
      // would take too long to compute and could not be read.
      let isInOrder = entries == Array(0..<mostLinks) + (0..<mostLinks).reversed().map { -$0 }
      #expect(isInOrder)
      #expect(result == .value(mostLinks))
      #expect(tracker.count == 0)
    }
  }
}
