import Overmorrow
import Testing

/// An observer on `.immediate`, whose callback tells what it is given.
private enum Observer: CaseIterable {
  case then, throwingThen, `catch`, always, tap, onCancel

  typealias Subject = Promise<Int, Reason>

  var runsFor: Set<Ending> {
    switch self {
    case .then, .throwingThen: [.value]
    case .catch: [.error]
    case .always, .tap: Set(Ending.allCases)
    case .onCancel: [.cancelled]
    }
  }

  func observe(_ promise: Subject, _ seen: Recorder<PromiseResult<Int, Reason>>) -> Subject {
    switch self {
    case .then: promise.then(on: .immediate) { seen.record(.value($0)) }
    case .throwingThen: promise.then(on: .immediate) { value throws(Reason) in seen.record(.value(value)) }
    case .catch: promise.catch(on: .immediate) { seen.record(.error($0)) }
    case .always: promise.always(on: .immediate) { seen.record($0) }
    case .tap: promise.tap(on: .immediate) { seen.record($0) }
    case .onCancel: promise.onCancel(on: .immediate) { seen.record(.cancelled) }
    }
  }
}

@Suite(.inTurn) struct ObserverTests {
  @Test(
    "2.1 2.23 2.24 an observer is given each result that it is for, and passes every one on: none is handled by that",
    arguments: Observer.allCases, Ending.allCases)
  private func passesOn(observer: Observer, ending: Ending) {
    let result: PromiseResult<Int, Reason> = ending.result(7, "no")
    let seen = Recorder<PromiseResult<Int, Reason>>()
    let promise = Promise(with: result)
    let child = observer.observe(promise, seen)
    #expect(seen.entries == (observer.runsFor.contains(ending) ? [result] : []))
    #expect(child.result == result)
    #expect(child == promise, "nothing is left to wait for")
  }
}
