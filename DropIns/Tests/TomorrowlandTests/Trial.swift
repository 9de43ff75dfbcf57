import Tomorrowland
import XCTest

/// Returns a description of a result.
func text<V, E>(_ result: PromiseResult<V, E>?) -> String {
  switch result {
  case .value(let value)?: "\(value)"
  case .error(let error)?: "error \(error)"
  case .cancelled?: "cancelled"
  case nil: "pending"
  }
}

/// The environment of one call of an operator: a context, a token, and a log of its closure.
final class Trial {
  let token = PromiseInvalidationToken()
  private let testQueue = MarkedQueue()
  private let log = Recorder<String>()
  private var resolvePending: (() -> Void)?
  var step: Step!

  var queue: PromiseContext { testQueue.context }
  var arguments: [String] { log.entries }

  /// Records the argument of a closure, whether it ran on its context, and whether its promise was already resolved.
  func record<T>(_ what: T) {
    log.record(testQueue.isCurrent ? "\(what)" : "\(what) elsewhere")
    if step.outcome != "pending" { log.record("resolved before") }
  }

  func record<V, E>(_ result: PromiseResult<V, E>) {
    record(text(result))
  }

  func record<T, A>(_ what: T, _ answer: A) -> A {
    record(what)
    return answer
  }

  func record<V, E, A>(_ result: PromiseResult<V, E>, _ answer: A) -> A {
    record(text(result), answer)
  }

  /// Returns a promise that `finish` resolves with the answer.
  func pending<T, V, E>(_ what: T, _ answer: PromiseResult<V, E>) -> Promise<V, E> {
    record(what)
    let (promise, resolver) = Promise<V, E>.makeWithResolver()
    resolvePending = { resolver.resolve(with: answer) }
    return promise
  }

  func pending<R, F, V, E>(_ result: PromiseResult<R, F>, _ answer: PromiseResult<V, E>) -> Promise<V, E> {
    pending(text(result), answer)
  }

  /// Waits for the queue, and resolves the promise that a closure has returned.
  func finish(_ name: String) {
    testQueue.queue.sync {}
    guard let resolvePending else { return }
    XCTAssertEqual(step.outcome, "pending", name)
    resolvePending()
  }
}

/// The promise that an operator returns, whatever its type.
protocol Step {
  var outcome: String { get }
  func requestCancel()
}

extension Promise: Step {
  var outcome: String { text(result) }
}

extension TokenPromise: Step {
  var outcome: String { text(inner.result) }
}
