import OvermorrowTesting
import Testing

@testable import Overmorrow

/// A control that the steps of one chain share.
@Suite(.inTurn) struct ChainControlTests {
  private typealias Subject = Promise<Int, any Error>

  private let control = ChainControl(cancellingWith: Refusal.first)
  private let order = Recorder<String>()

  /// The first promise of a chain, of which nobody else has a handle, and its resolver.
  private func makeRoot() -> (Subject, Subject.Resolver) {
    let (root, resolver) = Subject.makeWithResolver()
    return (control.link(root), resolver)
  }

  @Test("7.1 a control suspends and resumes its whole chain, whatever is left of the handles")
  func chain() {
    let context = ManualContext()
    func make() {
      let first = control.link(Subject(fulfilled: 1)) { source in
        source.map(on: context.context) { value in
          order.record("first")
          return value
        }
      }
      _ = control.link(first) { first in first.then(on: context.context) { _ in order.record("second") } }
    }
    control.suspend()
    make()
    context.runAll()
    #expect(order.entries == [])
    control.resume()
    #expect(context.runNext())
    control.suspend()
    context.runAll()
    #expect(order.entries == ["first"])
    control.resume()
    context.runAll()
    #expect(order.entries == ["first", "second"])
  }

  @Test("7.1 a step that is linked while the control is suspended does not start, even if it could at once")
  func suspendedBefore() {
    control.suspend()
    let step = control.link(Subject(fulfilled: 1)) { source in
      source.map(on: .immediate) { value in
        order.record("step")
        return value
      }
    }
    #expect(order.entries == [] && step.result == nil)
    control.resume()
    #expect(order.entries == ["step"] && step.result?.value == 1)
  }

  @Test("7.3 a control that is cancelled rejects the step whose turn it is, which passes through the others")
  func cancelling() {
    let (first, resolver) = makeRoot()
    let second = control.link(first) { $0.map(on: .immediate) { $0 + 1 } }
    let caught = control.link(second) { second in
      second.flatMapError(on: .immediate) { error in
        order.record("\(error)")
        return Subject(fulfilled: 7)
      }
    }
    control.cancel()
    control.cancel()
    #expect(control.isCancelled && order.entries == ["first"])
    #expect(first.result?.error is Refusal && second.result?.error is Refusal && caught.result?.value == 7)
    #expect(resolver.hasRequestedCancel)
  }

  @Test("7.3 a control that is suspended and cancelled settles its chain at once")
  func cancellingSuspended() {
    let (first, resolver) = makeRoot()
    let second = control.link(first) { $0.map(on: .immediate) { $0 + 1 } }
    control.suspend()
    resolver.fulfill(with: 1)
    #expect(first.result == nil)
    control.cancel()
    #expect(first.result?.error is Refusal && second.result?.error is Refusal)
  }

  @Test("7.3 a step that is running when the control is cancelled finishes, and its result is dropped")
  func cancellingInside() {
    let context = ManualContext()
    let step = control.link(Subject(fulfilled: 1)) { source in
      source.map(on: context.context) { value in
        control.cancel()
        order.record("went on")
        return value
      }
    }
    context.runAll()
    #expect(order.entries == ["went on"] && step.result?.error is Refusal)
  }

  @Test("7.3 what is linked to a control after it was cancelled is rejected if it is work on its way")
  func linkedLate() {
    control.cancel()
    let (root, resolver) = makeRoot()
    #expect(root.result?.error is Refusal)
    #expect(control.link(Subject(fulfilled: 1)) { $0.map(on: .immediate) { $0 + 1 } }.result?.value == 2)
    withExtendedLifetime(resolver) {}
  }

  @Test("7.3 a control that is cancelled rejects what a step ends as, whatever that waits for besides the step")
  func cancellingAnEnd() {
    let (end, resolver) = Subject.makeWithResolver()
    let makeEnd: (Subject) -> Subject = { _ in end }
    let result = control.link(Subject(fulfilled: 1), endingAs: makeEnd) { $0.map(on: .immediate) { $0 } }
    #expect(result.result == nil)
    control.cancel()
    #expect(result.result?.error is Refusal)
    withExtendedLifetime(resolver) {}
  }

  @Test("7.1 a control that is abandoned while it is suspended cancels its chain, and no step of it runs")
  func abandoned() {
    let (root, resolver) = makeRoot()
    resolver.attach(Told(order))
    let step = control.link(root) { root in root.map(on: .immediate) { (order.record("step"), $0).1 } }
    let last = control.link(step.mapResult(on: .immediate) { $0 }) { step in
      step.mapResult(on: .immediate) { (order.record("last"), $0).1 }
    }
    control.suspend()
    control.abandon()
    resolver.fulfill(with: 1)
    control.resume()
    #expect(order.entries == ["suspend", "cancel"])
    #expect(last.result?.isCancelled == true && control.isAbandoned && !control.isCancelled)
  }

  @Test("7.1 a control that is abandoned while it is not suspended leaves its chain as it is")
  func abandonedWhileItGoesOn() {
    let (root, resolver) = makeRoot()
    let step = control.link(root) { $0.map(on: .immediate) { $0 + 1 } }
    control.abandon()
    resolver.fulfill(with: 1)
    #expect(step.result?.value == 2 && !control.isAbandoned)
  }

  @Test("7.2 the producer behind a chain is told of what happens to its control")
  func producer() {
    let (root, resolver) = makeRoot()
    resolver.attach(Told(order))
    let end = control.link(root) { $0.map(on: .immediate) { $0 } }
    control.suspend()
    control.suspend()
    control.resume()
    control.cancel()
    #expect(order.entries == ["suspend", "resume", "cancel"])
    #expect(end.result?.error is Refusal)
  }

  private struct Told: PromiseSuspendable {
    let order: Recorder<String>
    init(_ order: Recorder<String>) { self.order = order }
    func suspend() { order.record("suspend") }
    func resume() { order.record("resume") }
    func cancel() { order.record("cancel") }
  }

  @Test("7.3 promises that are added to a control are asked to cancel, and settle at once while they are suspended")
  func asking() {
    let (root, resolver) = Promise<Int, Refusal>.makeWithResolver()
    let tail = root.map(on: .immediate) { $0 }
    control.add(root)
    control.add(tail)
    control.suspend()
    control.requestCancel()
    #expect((root.result, tail.result) == (.cancelled, .cancelled))
    withExtendedLifetime(resolver) {}
  }

  @Test("7.1 the suspension by a control ends with it, and nothing of the chain is left")
  func dropped() {
    let (tracker, calls) = (Tracker(), Counter())
    let resolver = {
      let control = ChainControl(cancellingWith: Refusal.first)
      let (root, resolver) = Subject.makeWithResolver()
      let end = control.link(control.link(root)) { root in
        root.then(on: .immediate) { [tracked = tracker.make()] _ in
          withExtendedLifetime(tracked) { _ = calls.increment() }
        }
      }
      control.suspend()
      resolver.fulfill(with: 1)
      #expect((end.result == nil, calls.count) == (true, 0))
      return resolver
    }()
    #expect((calls.count, tracker.count) == (1, 0))
    withExtendedLifetime(resolver) {}
  }

  @Test("a control forgets the steps that have resolved, and keeps no value")
  func forgetting() {
    let tracker = Tracker()
    var last = Promise<Tracker.Tracked?, any Error>(fulfilled: nil)
    for _ in 0..<1000 {
      last = control.link(last) { last in last.map(on: .immediate) { _ in tracker.make() } }
    }
    #expect(tracker.count == 1)
    last = Promise(fulfilled: nil)
    #expect(tracker.count == 0)
  }
}
