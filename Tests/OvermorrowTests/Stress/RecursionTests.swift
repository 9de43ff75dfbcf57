import Dispatch
import OvermorrowTesting
import Testing

@testable import Overmorrow

extension StressTests {
  /// A loop that calls itself through `flatMap` may go on for ever.
  @Suite struct RecursionTests {
    typealias Subject = Promise<Int, Never>

    private static func loop(_ rounds: Int, on context: PromiseContext, _ tracker: Tracker, _ most: Most) -> Subject {
      let tracked = tracker.make()
      return Subject(fulfilled: rounds).flatMap(on: context) { rounds in
        most.see(tracker.count)
        withExtendedLifetime(tracked) {}
        return rounds == 0 ? Subject(fulfilled: 0) : loop(rounds - 1, on: context, tracker, most)
      }
    }

    @Test("a long loop through flatMap on .immediate keeps a bounded number of callbacks")
    func immediate() async {
      let (tracker, most) = (Tracker(), Most())
      let result = await onSmallStack { Self.loop(manyLinks, on: .immediate, tracker, most).result }
      #expect(result == .value(0))
      #expect(most.value < 100)
      #expect(tracker.count == 0)
    }

    @Test("a loop through flatMap on a serial queue of 100,000 rounds keeps a bounded number of callbacks")
    func serialQueue() async {
      let (tracker, most) = (Tracker(), Most())
      let context = PromiseContext.queue(DispatchQueue(label: "loop"))
      #expect(await Self.loop(100_000, on: context, tracker, most).outcome("the loop") == .value(0))
      #expect(most.value < 100)
    }

    @Test("a loop through flatMap on .main of 100,000 rounds keeps a bounded number of callbacks") @MainActor
    func mainQueue() async {
      let (tracker, most) = (Tracker(), Most())
      #expect(await Self.loop(100_000, on: .main, tracker, most).outcome("the loop") == .value(0))
      #expect(most.value < 100)
    }

    @Test("a loop whose steps run before they are adopted keeps no link between its ends")
    func noLinksLeft() {
      let executor = ManualContext()
      let (end, resolver) = Subject.makeWithResolver()
      @Sendable func loop(_ rounds: Int) -> Subject {
        Subject(fulfilled: rounds).flatMap(on: executor.context) { rounds in
          if rounds == 0 { return end }
          let next = loop(rounds - 1)
          if rounds % 2 == 0 { executor.runNext() }
          return next
        }
      }
      let outer = loop(1000)
      executor.runAll()
      var links = 0
      var core = outer.handle.core
      core.retain()
      while let next = core.retainUpstream().first {
        core.release()
        core = next
        links += 1
      }
      core.release()
      #expect(links < 5)
      resolver.fulfill(with: 3)
      #expect(outer.result == .value(3))
    }

    /// The most that was ever seen.
    private final class Most: Sendable {
      private let seen = Guarded(0)

      var value: Int { seen.withLock { $0 } }

      func see(_ count: Int) { seen.withLock { $0 = max($0, count) } }
    }
  }
}
