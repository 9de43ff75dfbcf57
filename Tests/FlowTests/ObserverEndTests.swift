import Testing

@testable import Overmorrow
@_spi(Adapters) @testable import OvermorrowFlow

/// The cost of ending many observers of one object.
@Suite(.inTurn) struct ObserverEndTests {
  /// A kind of observers.
  struct Kind: CustomTestStringConvertible, Sendable {
    let testDescription: String
    /// Adds observers to an object. Returns the object, and a closure for each observer that ends it.
    let add: @Sendable (_ count: Int) -> (object: Any, ends: [() -> Void])

    static let all = [
      Kind(testDescription: "sequences of a key's values") { count in
        let cache = PromiseCache<Int, Int, Never>()
        return (cache, (0..<count).map { _ in releasing(cache.values(for: 1)) })
      },
      Kind(testDescription: "followers of a key") { count in
        let cache = PromiseCache<Int, Int, Never>()
        return (cache, (0..<count).map { _ in releasing(cache.follow(1) {}) })
      },
      Kind(testDescription: "loops over a progress") { count in
        let progress = PromiseProgress()
        return (progress, (0..<count).map { _ in releasing(progress.makeAsyncIterator()) })
      },
      Kind(testDescription: "sequences of a breaker's states") { count in
        let breaker = PromiseCircuitBreaker()
        return (breaker, (0..<count).map { _ in releasing(breaker.states) })
      },
      Kind(testDescription: "work that is attached to a pause") { count in
        let line = PauseLine()
        let numbers = (0..<count).compactMap { _ in line.attach({ _ in }, orDrop: {}) }
        return (line, numbers.map { number in { line.detach(number) } })
      },
      Kind(testDescription: "timers of a test clock") { count in
        let clock = TestClock()
        return (clock, (0..<count).map { _ in clock.schedule(at: .init(offset: .seconds(1))) {} })
      },
    ]

    /// Returns a closure that releases an observer.
    private static func releasing(_ observer: Any) -> () -> Void {
      var observer: Any? = observer
      return {
        withExtendedLifetime(observer) {}
        observer = nil
      }
    }
  }

  @Test("14.31 12.5 21.8 the time to end all observers of an object is linear", arguments: Kind.all)
  func ends(of kind: Kind) {
    let times = [500, 4000].map { count in
      let (object, ends) = kind.add(count)
      let begin = processorTimeOfThread()
      for end in ends { end() }
      return withExtendedLifetime(object) { processorTimeOfThread() - begin }
    }
    // Eight times as many observers would take 64 times as long if each end looked at all observers.
    #expect(times[1] < max(times[0] * 30, .milliseconds(100)), "\(times)")
  }
}
