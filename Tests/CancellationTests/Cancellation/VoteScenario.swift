import Overmorrow
import Testing

/// Children of one promise, what happens to them one after the other, and how often the producer has been asked by then.
struct VoteScenario: Sendable, CustomTestStringConvertible {
  enum Step: Sendable {
    /// A child is asked to cancel, or let go.
    case ask(Int)
    case letGo(Int)
    /// The last handle of the promise goes.
    case drop
    /// The producer has been asked to cancel so many times.
    case requests(Int)
  }

  let testDescription: String
  let children: [ChildKind]
  let steps: [Step]

  init(_ sentence: String, _ children: [ChildKind], _ steps: Step...) {
    testDescription = sentence
    self.children = children
    self.steps = steps
  }

  /// - Parameters:
  ///   - note: What a failure says beside the step.
  ///   - make: Makes the promise of a probe, and its children.
  func run<Failure>(_ note: String = "", _ make: () -> (CancelProbe<Int, Failure>, [AnyChild?])) {
    var (probe, children) = make()
    for (number, step) in steps.enumerated() {
      switch step {
      case .ask(let index): children[index]?.requestCancel()
      case .letGo(let index): children[index] = nil
      case .drop: probe.drop()
      case .requests(let count): #expect(probe.requestCount == count, "in step \(number + 1) \(note)")
      }
    }
    // Nobody has resolved the promise: asking is no cancelling.
    for child in children { #expect(child?.isResolved != true) }
    withExtendedLifetime(probe) {}
  }
}

/// A way to make a child.
enum ChildKind: Sendable {
  case child, tap, onCancel, ignoringCancel

  func make(_ promise: Promise<Int, Flaw>) -> AnyChild {
    switch self {
    case .child: AnyChild(promise.makeChild())
    case .tap: AnyChild(promise.tap())
    case .onCancel: AnyChild(promise.onCancel(on: .immediate) {})
    case .ignoringCancel: AnyChild(promise.ignoringCancel())
    }
  }
}
