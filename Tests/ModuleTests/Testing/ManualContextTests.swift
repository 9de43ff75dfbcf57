import Dispatch
import Overmorrow
import OvermorrowTesting
import Testing

@Suite(.inTurn, .expectsIssues) struct ManualContextTests {
  private let context = ManualContext()

  private typealias IntPromise = Promise<Int, Never>

  /// Returns the order in which a context runs ten closures.
  private func order(of context: ManualContext) -> [Int] {
    let log = Recorder<Int>()
    for number in 0..<10 { context.enqueue { log.record(number) } }
    context.runAll()
    return log.entries
  }

  @Test("16.4 callbacks run one at a time, when the test says, in submission order")
  func inOrder() {
    let log = Recorder<Int>()
    for number in 0..<3 { IntPromise(fulfilled: number).then(on: context.context) { log.record($0) } }
    #expect(context.count == 3)
    #expect(log.entries == [])
    #expect(context.runNext())
    #expect(log.entries == [0])
    #expect(context.runAll() == 2)
    #expect(log.entries == [0, 1, 2])
    #expect(!context.runNext())
    #expect(order(of: context) == Array(0..<10))
  }

  @Test("16.4 a seed determines an order that differs from those of other seeds")
  func shuffled() {
    let orders = (1...20 as ClosedRange<UInt64>).map { order(of: ManualContext(shuffledBy: $0)) }
    #expect(orders == (1...20).map { order(of: ManualContext(shuffledBy: $0)) })
    #expect(Set(orders).count > 15)
    #expect(orders.allSatisfy { $0.sorted() == Array(0..<10) })
  }

  @Test("16.5 the steps of a chain keep their order, whatever the seed", arguments: 1...20 as ClosedRange<UInt64>)
  func chain(seed: UInt64) {
    let context = ManualContext(shuffledBy: seed)
    let sums = (1...4).map { number in
      IntPromise(fulfilled: number).map(on: context.context) { $0 * 10 }.map(on: context.context) { $0 + 1 }
    }
    #expect(context.runAll() == 8)
    #expect(sums.map { expectFulfilled($0) } == [11, 21, 31, 41])
  }

  @Test("16.4 callbacks queued meanwhile also run, and endless ones fail the test")
  func limit() {
    @Sendable func again() { context.enqueue { again() } }
    context.enqueue { context.enqueue {} }
    #expect(context.runAll() == 2)
    again()
    expectIssue("ManualContext(1 queued, 52 run) still has work after 50 callbacks") {
      #expect(context.runAll(limit: 50) == 50)
    }
    context.dropAll()
  }

  @Test("16.6 work that is dropped, left behind or submitted later is cancelled")
  func dropped() {
    let log = Recorder<Int>()
    var context: ManualContext? = ManualContext()
    let later = context?.context ?? .immediate
    let first = IntPromise(fulfilled: 1).map(on: later) { $0 }
    context?.dropAll()
    expectCancelled(first)
    let second = IntPromise(fulfilled: 1).map(on: later) { $0 }.always(on: .immediate) { _ in log.record(2) }
    let body = IntPromise(on: later) { $0.fulfill(with: 1) }
    expectPending(second)
    context = nil
    expectCancelled(second)
    expectCancelled(body)
    expectCancelled(IntPromise(fulfilled: 1).map(on: later) { $0 })
    #expect(log.entries == [2])
  }

  @Test("16.4 two contexts are equal if they come from the same object")
  func equality() {
    let (one, other) = (ManualContext(), ManualContext())
    #expect(one.context == one.context)
    #expect(one.context != other.context)
    withExtendedLifetime((one, other)) {}
  }

  @Test("16.4 a test can wait for work from other threads, and all of it arrives")
  func threads() async {
    let log = Recorder<Int>()
    for number in 0..<100 {
      IntPromise(on: .utility) { $0.fulfill(with: number) }.then(on: context.context) { log.record($0) }
    }
    await context.waitForWork(100)
    await context.waitForWork(100)
    #expect(context.runAll() == 100)
    #expect(log.entries.sorted() == Array(0..<100))
  }

  @Test("16.8 a wait for work that does not arrive fails the test and says so")
  func timedOutWait() async {
    await expectIssue("after 0.001 seconds, ManualContext(0 queued, 0 run) still has fewer than 2 callbacks") {
      await context.waitForWork(2, within: .milliseconds(1))
    }
  }

  @Test("16.4 100,000 callbacks take negligible time, in either order")
  func many() {
    let start = ContinuousClock.now
    for context in [ManualContext(), ManualContext(shuffledBy: 3)] {
      for _ in 0..<100_000 { context.enqueue {} }
      #expect(context.runAll() == 100_000)
    }
    #expect(ContinuousClock.now - start < .seconds(60), "quadratic work would take many minutes")
  }
}
