import Overmorrow
import Testing

extension StressTests {
  /// Depth first, without a deep stack.
  @Suite struct DepthFirstDepthTests {
    private typealias Subject = Promise<Int, Never>

    @Test(
      "2.7 a million links, each with a sibling before and behind, resolve in order on a small stack, and leave nothing"
    )
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
      // All the way down, then back. The difference of so many could be neither read nor waited for.
      let isInOrder = entries == Array(0..<mostLinks) + (0..<mostLinks).reversed().map { -$0 }
      #expect(isInOrder)
      #expect(result == .value(mostLinks))
      #expect(tracker.count == 0)
    }
  }
}
