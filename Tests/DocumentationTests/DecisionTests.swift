import Dispatch
import Overmorrow
import OvermorrowEngine
import Testing

/// A sample from the decisions in the folder `Documentation`, and a fact that one of them relies on.
@Suite(.inTurn) struct DecisionTests {
  // MARK: 0001, one allocation for each promise

  @Test("2.1 11.8 children of a promise without handles get its result, which is then released")
  func memoryOutlivesTheHandle() {
    let tracker = Tracker()
    let seen = Recorder<String>()
    let resolver = {
      let (promise, resolver) = Promise<Tracker.Tracked, Never>.makeWithResolver()
      promise.then(on: .immediate) { _ in seen.record("then") }
      promise.map(on: .immediate) { _ in 1 }.then(on: .immediate) { seen.record("\($0)") }
      return resolver
    }()
    resolver.fulfill(with: tracker.make())
    #expect(seen.entries == ["then", "1"])
    withExtendedLifetime(resolver) { #expect(tracker.count == 0) }
  }

  @Test("1.2 resolving, releasing and requesting cancellation on three threads free everything")
  func endsMeet() {
    let tracker = Tracker()
    for _ in 0..<1000 {
      let (promise, resolver) = Promise<Tracker.Tracked, Never>.makeWithResolver()
      let value = tracker.make()
      let cancellable = promise.cancellable
      let handle = Guarded<Promise<Tracker.Tracked, Never>?>(promise.tap())
      let child = handle.withLock { $0?.map(on: .immediate) { [tracker] _ in tracker.make() } }
      DispatchQueue.concurrentPerform(iterations: 3) { index in
        switch index {
        case 0: resolver.fulfill(with: value)
        case 1: handle.withLock { $0 = nil }
        default: cancellable.requestCancel()
        }
      }
      #expect(child?.result != nil && promise.result != nil)
    }
    #expect(tracker.count == 0)
  }

  // MARK: 0003, adoption as a tail call

  @Test("2.4 a recursive loop ends with its final answer")
  func polling() async {
    #expect(await poll().outcome()?.value?.isFinal == true)
  }
}

// MARK: - Samples that are declarations

private func poll() -> Promise<Answer, any Error> {
  ask().flatMap(on: .utility) { answer in
    answer.isFinal ? Promise(fulfilled: answer) : poll()
  }
}

// MARK: - Stand-ins

private struct Answer: Sendable {
  let isFinal: Bool
}

private let questions = Counter()

private func ask() -> Promise<Answer, any Error> {
  Promise(on: .utility, fulfilled: Answer(isFinal: questions.increment() % 5 == 0), after: .zero)
}
