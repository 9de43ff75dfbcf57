import OvermorrowTesting
import Testing

@testable import Overmorrow

/// A control that the promises of one chain share.
@Suite(.inTurn) struct ChainControlTests {
  private typealias Subject = Promise<Int, Refusal>

  @Test("7.1 a control suspends and resumes its whole chain, whatever is left of the handles")
  func chain() {
    let (control, context, order) = (ChainControl(), ManualContext(), Recorder<Int>())
    func make() {
      let first = Subject(fulfilled: 1).map(on: context.context) { value in
        order.record(1)
        return value
      }
      control.add(first)
      control.add(first.then(on: context.context) { _ in order.record(2) })
    }
    control.suspend()
    make()
    context.runAll()
    #expect(order.entries == [])
    control.resume()
    #expect(context.runNext())
    control.suspend()
    context.runAll()
    #expect(order.entries == [1])
    control.resume()
    context.runAll()
    #expect(order.entries == [1, 2])
  }

  @Test("7.3 a control cancels its whole chain, which settles at once while it is suspended")
  func cancelling() {
    let control = ChainControl()
    let (root, resolver) = Subject.makeWithResolver()
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
      let control = ChainControl()
      let (root, resolver) = Subject.makeWithResolver()
      control.add(root)
      control.add(
        root.then(on: .immediate) { [tracked = tracker.make()] _ in
          withExtendedLifetime(tracked) { _ = calls.increment() }
        })
      control.suspend()
      resolver.fulfill(with: 1)
      #expect((root.result, calls.count) == (nil, 0))
      return resolver
    }()
    #expect((calls.count, tracker.count) == (1, 0))
    withExtendedLifetime(resolver) {}
  }
}
