import Overmorrow
import Testing

@Suite(.inTurn) struct WhenMemoryTests {
  private let tracker = Tracker()

  typealias Input = CancelProbe<Tracker.Tracked, Flaw>

  private enum Ending: CaseIterable {
    case fulfilled
    case rejected
    case cancelled
    case never
  }

  /// Lets two inputs end in each of the ways, and everything go.
  private func run(_ combine: ([Promise<Tracker.Tracked, Flaw>]) -> Void, in tracker: Tracker) {
    for ending in Ending.allCases {
      let (_, inputs) = Input.feed(2) { combine($0) }
      inputs[0].resolver.fulfill(with: tracker.make())
      switch ending {
      case .fulfilled: inputs[1].resolver.fulfill(with: tracker.make())
      case .rejected: inputs[1].resolver.reject(with: "no")
      case .cancelled: inputs[1].resolver.cancel()
      case .never: break
      }
    }
  }

  @Test("5.1 nothing is left of a when(fulfilled:), however its inputs end", arguments: [false, true])
  func fulfilled(cancelOnFailure: Bool) {
    run({ _ = when(fulfilled: $0, cancelOnFailure: cancelOnFailure) }, in: tracker)
    run({ _ = when(fulfilled: $0[0], $0[1], cancelOnFailure: cancelOnFailure) }, in: tracker)
    #expect(tracker.count == 0)
  }

  @Test("5.2 nothing is left of a when(first:), however its inputs end", arguments: [false, true])
  func first(cancelRemaining: Bool) {
    run({ _ = when(first: $0, cancelRemaining: cancelRemaining) }, in: tracker)
    #expect(tracker.count == 0)
  }

  @Test("5.1 5.2 nothing is left of a when that was asked to cancel")
  func cancelled() {
    run({ when(fulfilled: $0).requestCancel() }, in: tracker)
    run({ when(fulfilled: $0[0], $0[1]).requestCancel() }, in: tracker)
    run({ when(first: $0).requestCancel() }, in: tracker)
    #expect(tracker.count == 0)
  }

  @Test("5.1 5.2 observers of a when are released with its result, although inputs are still unresolved")
  func observersGo() {
    let (_, inputs) = Input.feed(3) { promises in
      let (object, other) = (tracker.make(), tracker.make())
      when(fulfilled: promises).always(on: .immediate) { _ in _ = object }
      when(first: promises).always(on: .immediate) { _ in _ = other }
    }
    #expect(tracker.count == 2)
    inputs[1].resolver.reject(with: "no")
    #expect(tracker.count == 0)
    withExtendedLifetime(inputs) {}
  }
}
