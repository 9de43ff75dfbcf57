import Overmorrow
import Testing

extension StressTests {
  /// Depth first, without a deep stack.
  @Suite struct DepthFirstDepthTests {
    private typealias Subject = Promise<Int, Never>

    @Test("2.7 a chain each link of which has a sibling before and behind resolves in order on a small stack")
    func siblings() async throws {
      let count = manyLinks
      let entries = try await onSmallStack { () -> [Int] in
        let log = Recorder<Int>()
        let (first, resolver) = Subject.makeWithResolver()
        var last = first
        for link in 0..<count {
          let source = last
          source.then(on: .immediate) { _ in log.record(link) }
          last = source.map(on: .immediate) { $0 + 1 }
          source.then(on: .immediate) { _ in log.record(-link) }
        }
        resolver.fulfill(with: 0)
        log.record(last.result?.value ?? -1)
        return log.entries
      }
      // All the way down, then back.
      #expect(entries == Array(0..<count) + (0..<count).reversed().map { -$0 } + [count])
    }

    @Test("2.7 a million links, each with a sibling, resolve on a small stack, and leave nothing")
    func million() async throws {
      let tracker = Tracker()
      let result = try await onSmallStack { () -> PromiseResult<Int, Never>? in
        let runs = Counter()
        let (first, resolver) = Subject.makeWithResolver()
        var last = first
        for _ in 0..<mostLinks {
          let source = last
          last = source.map(on: .immediate) { $0 + 1 }
          source.then(on: .immediate) { [tracked = tracker.make()] _ in
            withExtendedLifetime(tracked) { _ = runs.increment() }
          }
        }
        resolver.fulfill(with: 0)
        return runs.count == mostLinks ? last.result : nil
      }
      #expect(result == .value(mostLinks))
      #expect(tracker.count == 0)
    }
  }
}
