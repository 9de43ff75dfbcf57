import Testing

@testable import Overmorrow
@testable import OvermorrowEngine

/// What a pass leaves in the cores that wait in it.
struct DrainStackTests {
  private typealias Subject = Promise<Int, Never>

  private let log = Recorder<String>()

  @Test("15.51 a waiter with which a pass has resumed keeps no address of another promise")
  func resumedWaiter() {
    let (promise, resolver) = Subject.makeWithResolver()
    let (pending, _) = Subject.makeWithResolver()
    let first = promise.map(on: .immediate) { $0 }
    promise.then(on: .immediate) { _ in log.record("the core below") }
    first.then(on: .immediate) { _ in log.record("the first waiter") }
    let adopter = first.flatMap(on: .immediate) { _ in pending }
    first.then(on: .immediate) { _ in log.record("the last waiter") }
    resolver.fulfill(with: 7)
    #expect(log.entries == ["the first waiter", "the last waiter", "the core below"])
    #expect(adopter.handle.core.fields.sourceOrBelow.value == nil)
  }
}
