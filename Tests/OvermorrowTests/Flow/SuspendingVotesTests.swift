import OvermorrowTesting
import Testing

@testable import Overmorrow

/// How a suspension goes up to the producer.
@Suite(.inTurn) struct SuspendingVotesTests {
  private typealias Subject = Promise<Int, Refusal>

  private func make() -> (Subject, Subject.Resolver, SuspendableProbe) {
    let (promise, resolver) = Subject.makeWithResolver()
    let probe = SuspendableProbe()
    resolver.attach(probe)
    return (promise, resolver, probe)
  }

  @Test("7.2 a suspendable producer is suspended and resumed with its promise, once each")
  func producer() {
    let (root, resolver, probe) = make()
    root.suspend()
    root.suspend()
    #expect(probe.calls == [.suspend])
    root.resume()
    root.resume()
    #expect(probe.calls == [.suspend, .resume])
    root.suspend()
    #expect(probe.calls == [.suspend, .resume, .suspend])
    root.resume()
    resolver.fulfill(with: 1)
    root.suspend()
    #expect(probe.calls.count == 4)
  }

  @Test("7.2 a suspension at the end of a chain reaches the producer, and so does the resumption")
  func throughTheChain() {
    let (root, resolver, probe) = make()
    let tail = root.map(on: .immediate) { $0 }.flatMap(on: .immediate) { Subject(fulfilled: $0) }.makeChild()
    tail.suspend()
    #expect((root.isSuspended, probe.calls) == (true, [.suspend]))
    tail.resume()
    #expect((root.isSuspended, probe.calls) == (false, [.suspend, .resume]))
    resolver.fulfill(with: 1)
    #expect(tail.result == .value(1))
  }

  @Test("7.2 a step that was suspended and resumed keeps nothing of its source")
  func keepsNothing() {
    let tracker = Tracker()
    do {
      let (root, resolver) = Promise<Tracker.Tracked, Refusal>.makeWithResolver()
      let step = root.map(on: .immediate) { _ in 1 }
      step.suspend()
      step.resume()
      resolver.fulfill(with: tracker.make())
      #expect(step.result == .value(1))
    }
    #expect(tracker.count == 0)
  }

  @Test("7.2 with several observers the producer is suspended only when all of them are")
  func allObservers() {
    let (root, resolver, probe) = make()
    let first = root.map(on: .immediate) { $0 + 1 }
    let second = root.map(on: .immediate) { $0 + 2 }
    first.suspend()
    #expect((root.isSuspended, probe.calls) == (false, []))
    second.suspend()
    #expect((root.isSuspended, probe.calls) == (true, [.suspend]))
    first.resume()
    #expect((root.isSuspended, probe.calls) == (false, [.suspend, .resume]))
    resolver.fulfill(with: 1)
    #expect((first.result, second.result) == (.value(2), nil))
    second.resume()
    #expect(second.result == .value(3))
  }

  @Test("7.2 7.6 an observer that comes later and is not suspended wakes the producer")
  func lateObserver() {
    let (root, resolver, probe) = make()
    let first = root.map(on: .immediate) { $0 + 1 }
    first.suspend()
    let second = root.map(on: .immediate) { $0 + 2 }
    #expect(probe.calls == [.suspend, .resume])
    resolver.fulfill(with: 1)
    #expect((first.result, second.result) == (nil, .value(3)))
    first.resume()
    #expect(first.result == .value(2))
  }

  @Test("7.2 a promise that was suspended itself stays so when an observer comes")
  func ownSuspension() {
    let (root, resolver, probe) = make()
    root.suspend()
    let step = root.map(on: .immediate) { $0 + 1 }
    #expect((root.isSuspended, probe.calls) == (true, [.suspend]))
    resolver.fulfill(with: 1)
    step.resume()
    #expect((root.result, step.result) == (.value(1), .value(2)))
  }

  @Test("7.2 when the observer that was not suspended cancels, the others suspend the producer")
  func lastAwakeCancels() {
    let (root, resolver, probe) = make()
    let first = root.map(on: .immediate) { $0 + 1 }
    let second = root.map(on: .immediate) { $0 + 2 }
    first.suspend()
    second.requestCancel()
    #expect((root.isSuspended, probe.calls) == (true, [.suspend]))
    withExtendedLifetime(resolver) {}
  }

  @Test("7.2 when a suspended observer cancels, the one that is not keeps the producer awake")
  func suspendedCancels() {
    let (root, resolver, probe) = make()
    let first = root.map(on: .immediate) { $0 + 1 }
    let second = root.map(on: .immediate) { $0 + 2 }
    first.suspend()
    first.requestCancel()
    #expect((first.result, root.isSuspended, probe.calls) == (.cancelled, false, []))
    resolver.fulfill(with: 1)
    #expect(second.result == .value(3))
  }

  @Test("7.2 7.7 a tap neither suspends the producer nor keeps it awake")
  func tap() {
    let (root, resolver, probe) = make()
    root.tap(on: .immediate) { _ in }
    let first = root.map(on: .immediate) { $0 + 1 }
    first.suspend()
    #expect(probe.calls == [.suspend])
    first.resume()
    resolver.fulfill(with: 1)
  }

  @Test("7.2 a producer attached to a suspended promise is suspended at once, to a cancelled one cancelled at once")
  func attachedLate() {
    let (root, resolver) = Subject.makeWithResolver()
    root.suspend()
    let probe = SuspendableProbe()
    resolver.attach(probe)
    #expect(probe.calls == [.suspend])
    let (asked, askedResolver) = Subject.makeWithResolver()
    asked.requestCancel()
    let second = SuspendableProbe()
    askedResolver.attach(second)
    #expect(second.calls == [.cancel])
  }

  @Test("7.2 a producer is cancelled once, and then told nothing more; it is released with the promise's end")
  func cancelled() {
    let (root, resolver) = Subject.makeWithResolver()
    weak var released: SuspendableProbe?
    do {
      let probe = SuspendableProbe()
      released = probe
      resolver.attach(probe)
      root.requestCancel()
      root.requestCancel()
      root.suspend()
      root.resume()
      #expect(probe.calls == [.cancel])
    }
    #expect(released == nil)
  }

  @Test("7.4 suspending a promise of many takes a time in proportion, and leaves those alone who suspend nothing")
  func many() async throws {
    let sources = (0..<50_000).map { _ in Promise<Int, Flaw>.makeWithResolver() }
    let all = when(fulfilled: sources.map(\.0))
    try await onOwnThread("50,000 inputs to be suspended and resumed") {
      all.suspend()
      all.resume()
    }
    for (index, source) in sources.enumerated() { source.1.fulfill(with: index) }
    #expect(all.result?.value?.count == 50_000)
  }

  @Test("7.4 a vote that is withdrawn is looked at further only where a suspended promise has one, too")
  func marks() {
    let (source, resolver) = Promise<Int, Flaw>.makeWithResolver()
    let (other, otherResolver) = Promise<Int, Flaw>.makeWithResolver()
    let step = source.map(on: .immediate) { $0 }
    let bystander = other.map(on: .immediate) { $0 }
    #expect(!source.handle.core.votesNow.hasSuspendedChild)
    step.suspend()
    #expect(source.handle.core.votesNow.hasSuspendedChild)
    #expect(!other.handle.core.votesNow.hasSuspendedChild)
    step.resume()
    #expect(!source.handle.core.votesNow.hasSuspendedChild)
    resolver.cancel()
    otherResolver.cancel()
    #expect(bystander.result == .cancelled)
  }

  @Test("7.1 nothing of a chain that was suspended and resumed stays in memory")
  func leavesNothing() {
    let tracker = Tracker()
    do {
      let (source, resolver) = Promise<Tracker.Tracked, Flaw>.makeWithResolver()
      let step = source.then(on: .immediate) { [object = tracker.make()] _ in withExtendedLifetime(object) {} }
      step.suspend()
      resolver.fulfill(with: tracker.make())
      step.resume()
      #expect(step.result != nil)
    }
    #expect(tracker.count == 0)
  }
}
