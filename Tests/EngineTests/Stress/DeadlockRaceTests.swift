import Dispatch
import OvermorrowEngine
import Testing

@testable import Overmorrow
@testable import OvermorrowDiagnostics

private typealias IntPromise = Promise<Int, any Error>

/// A promise that a step of a blocked queue cannot keep unresolved, because another thread resolves it.
private struct Shape: Sendable, CustomTestStringConvertible {
  let testDescription: String
  /// Makes the promise from a promise of the other thread and a step of the blocked queue.
  let make: @Sendable (_ other: IntPromise, _ blocked: IntPromise, _ queue: PromiseContext) -> IntPromise
  /// Resolves the promise of the other thread.
  let resolve: @Sendable (IntPromise.Resolver) -> Void

  static let all = [
    Shape("when(first:)", { when(first: [$1, $0]) }, { $0.fulfill(with: 2) }),
    Shape(
      "when(firstFulfilled:)", { when(firstFulfilled: [$1, $0]).mapError { $0 as any Error } },
      { $0.fulfill(with: 2) }),
    Shape(
      "when(fulfilled:)", { when(fulfilled: [$1, $0]).map(on: .immediate) { $0[0] } }, { $0.reject(with: Late()) }),
    Shape(
      "when(fulfilled:) of a tuple", { when(fulfilled: $1, $0).map(on: .immediate) { $0.0 } },
      { $0.reject(with: Late()) }),
    Shape(
      "when(fulfilled:maxConcurrent:)",
      { other, blocked, _ in
        when(fulfilled: [blocked, other], maxConcurrent: 2, on: .immediate) { $0 }.map(on: .immediate) { $0[0] }
      }, { $0.reject(with: Late()) }),
    Shape(
      "flatMap",
      { other, blocked, _ in
        IntPromise(fulfilled: 1).flatMap(on: .immediate) { _ in when(first: [blocked, other]) }
      },
      { $0.fulfill(with: 2) }),
    Shape(
      "an adopter of the last input", { other, blocked, _ in other.flatMap(on: .immediate) { _ in blocked } },
      { $0.reject(with: Late()) }),
    Shape("a callback for values", { other, _, queue in other.map(on: queue) { $0 } }, { $0.reject(with: Late()) }),
    Shape("a callback for errors", { other, _, queue in other.recover(on: queue) { _ in 2 } }, { $0.fulfill(with: 2) }),
    Shape(
      "a chain of callbacks",
      { other, _, queue in other.map(on: queue) { $0 }.then(on: queue) { _ in }.map(on: queue) { $0 } },
      { $0.reject(with: Late()) }),
  ]

  private init(
    _ name: String, _ make: @escaping @Sendable (IntPromise, IntPromise, PromiseContext) -> IntPromise,
    _ resolve: @escaping @Sendable (IntPromise.Resolver) -> Void
  ) {
    (testDescription, self.make, self.resolve) = (name, make, resolve)
  }

  private init(
    _ name: String, _ make: @escaping @Sendable (IntPromise, IntPromise) -> IntPromise,
    _ resolve: @escaping @Sendable (IntPromise.Resolver) -> Void
  ) {
    self.init(name, { other, blocked, _ in make(other, blocked) }, resolve)
  }
}

private struct Late: Error {}

@Suite(.inTurn) struct DeadlockRaceTests {
  @Test("8.4 a look for a deadlock finds none while another thread resolves the promise", arguments: Shape.all)
  fileprivate func look(_ shape: Shape) async {
    // Nothing runs on this queue before the end, as if a wait blocked it.
    let queue = DispatchQueue(label: "blocked")
    queue.suspend()
    defer { queue.resume() }
    await race(
      rounds: 5000, within: .milliseconds(100),
      {
        let (other, resolver) = IntPromise.makeWithResolver()
        let blocked = IntPromise(fulfilled: 1).map(on: .queue(queue)) { $0 }
        return (shape.make(other, blocked, .queue(queue)), resolver, Counter())
      },
      { shape.resolve($0.1) },
      { promise, _, found in
        for _ in 0..<20 where promise.handle.core.neededPlace(where: { $0.isQueue }) != nil { found.increment() }
      },
      check: { promise, _, found in
        // Reads the error.
        _ = promise.result
        return found.count == 0 ? nil : "a deadlock was found"
      })
  }
}
