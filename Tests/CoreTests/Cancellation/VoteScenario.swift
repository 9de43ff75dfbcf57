import Overmorrow
import Testing

/// A sequence of events on the children of one promise, with the expected numbers of requests that reach the producer.
struct VoteScenario: Sendable, CustomTestStringConvertible {
  enum Step: Sendable {
    /// A child is asked to cancel, or is released.
    case ask(Int)
    case release(Int)
    /// The last handle of the promise is released.
    case drop
    /// Expects that the producer has received this number of requests.
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
  ///   - note: An addition to the message of a failure.
  ///   - make: Makes the promise of a probe and the children.
  func run<Failure>(_ note: String = "", _ make: () -> (CancelProbe<Int, Failure>, [AnyChild?])) {
    var (probe, children) = make()
    for (number, step) in steps.enumerated() {
      switch step {
      case .ask(let index): children[index]?.requestCancel()
      case .release(let index): children[index] = nil
      case .drop: probe.drop()
      case .requests(let count): #expect(probe.requestCount == count, "in step \(number + 1) \(note)")
      }
    }
    // The producer has not resolved the promise, and a request alone does not.
    for child in children { #expect(child?.isResolved != true) }
    withExtendedLifetime(probe) {}
  }
}

/// The operators that make a child in a scenario.
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
