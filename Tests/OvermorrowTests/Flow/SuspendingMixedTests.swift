import OvermorrowTesting
import Testing

@testable import Overmorrow

/// Suspensions where requests, adoption and combinators meet them.
@Suite(.inTurn) struct SuspendingMixedTests {
  private typealias Subject = Promise<Int, Refusal>

  @Test("7.3 a handler of a suspended promise without resolvers gets one that works, and may resume the promise")
  func resumedByHandler() {
    let (promise, resolver) = Subject.makeWithResolver()
    resolver.onRequestCancel(on: .immediate) { resolver in
      promise.resume()
      resolver.fulfill(with: 7)
    }
    _ = consume resolver
    promise.suspend()
    promise.requestCancel()
    #expect(promise.result == .value(7))
  }

  @Test(
    "7.3 a handler of a suspended promise without resolvers that resumes it and does nothing else leaves it cancelled")
  func resumedAndForgotten() {
    let (promise, resolver) = Subject.makeWithResolver()
    resolver.onRequestCancel(on: .immediate) { _ in promise.resume() }
    _ = consume resolver
    promise.suspend()
    promise.requestCancel()
    #expect(promise.result == .cancelled)
  }

  @Test("7.3 no handler runs of a promise that keeps its result", arguments: [true, false], [true, false])
  func keptResult(isAdopted: Bool, isResolverKept: Bool) {
    let seen = Recorder<Int>()
    let (promise, resolver) = Subject.makeWithResolver()
    resolver.onRequestCancel(on: .immediate) { _ in seen.record(1) }
    let kept = isResolverKept ? resolver : nil
    promise.suspend()
    if isAdopted { resolver.resolve(with: Subject(fulfilled: 1)) } else { resolver.fulfill(with: 1) }
    _ = consume resolver
    promise.requestCancel()
    #expect(promise.result == .cancelled && seen.entries.isEmpty)
    withExtendedLifetime(kept) {}
  }

  @Test("7.3 work that is attached to a promise that keeps its result is told nothing")
  func attachedTooLate() {
    let (promise, resolver) = Subject.makeWithResolver()
    promise.suspend()
    resolver.resolve(with: Subject(fulfilled: 1))
    let probe = SuspendableProbe()
    resolver.attach(probe)
    promise.resume()
    #expect(promise.result == .value(1) && probe.calls.isEmpty)
  }

  @Test("7.10 a promise that is not suspended resumes what it adopts, if that is suspended because its observers are")
  func awakeAdopter() {
    let (promise, resolver) = Subject.makeWithResolver()
    let probe = SuspendableProbe()
    resolver.attach(probe)
    let child = promise.makeChild()
    child.suspend()
    #expect(promise.isSuspended)
    let (adopter, adopting) = Subject.makeWithResolver()
    adopting.resolve(with: promise)
    #expect(!promise.isSuspended && probe.calls == [.suspend, .resume])
    resolver.fulfill(with: 1)
    #expect(adopter.result == .value(1) && child.result == nil)
    child.resume()
    #expect(child.result == .value(1))
  }

  @Test("7.2 when a combinator has decided, an input whose other observers are suspended is suspended")
  func votesGivenBack() {
    let (promise, resolver) = Subject.makeWithResolver()
    let probe = SuspendableProbe()
    resolver.attach(probe)
    let (other, decider) = Subject.makeWithResolver()
    let first = when(first: [promise, other])
    let child = promise.makeChild()
    child.suspend()
    #expect(!promise.isSuspended)
    decider.fulfill(with: 2)
    #expect(first.result == .value(2) && promise.isSuspended && probe.calls == [.suspend])
    child.resume()
    resolver.fulfill(with: 1)
    #expect(child.result == .value(1) && probe.calls == [.suspend, .resume])
  }

  @Test("5.2 7.11 a race that is suspended takes the first input that has come, when it is resumed")
  func suspendedRace() {
    let inputs = (0..<5).map { _ in Subject.makeWithResolver() }
    let first = when(first: inputs.map(\.0))
    first.suspend()
    for index in [3, 1, 4, 0, 2] { inputs[index].1.fulfill(with: index) }
    #expect(first.result == nil)
    first.resume()
    #expect(first.result == .value(3))
  }

  @Test("7.2 suspending a child that has asked to cancel tells the producer nothing, if somebody else waits")
  func askedChild() {
    let (promise, resolver) = Subject.makeWithResolver()
    let probe = SuspendableProbe()
    resolver.attach(probe)
    let other = promise.makeChild()
    let child = promise.makeChild()
    child.requestCancel()
    child.suspend()
    #expect(child.result == .cancelled && probe.calls.isEmpty)
    resolver.fulfill(with: 1)
    #expect(other.result == .value(1))
  }

  @Test("7.3 a resolver that comes too late for a promise cancelled while suspended has no request to hear of any more")
  func tooLate() {
    let (promise, resolver) = Subject.makeWithResolver()
    promise.suspend()
    promise.requestCancel()
    #expect(promise.result == .cancelled && resolver.hasRequestedCancel)
    resolver.fulfill(with: 1)
    #expect(promise.result == .cancelled && !resolver.hasRequestedCancel)
  }
}
