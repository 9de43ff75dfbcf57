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

/// The test bed of an operator: a context and a token, and a log of its closure.
final class Trial {
  let token = PromiseInvalidationToken()
  private let testQueue = MarkedQueue()
  private let log = Recorder<String>()
  private var resolveLate: (() -> Void)?
  var step: Step!

  var queue: PromiseContext { testQueue.context }
  var heard: [String] { log.entries }

  /// Records the argument of a closure, whether it ran on its context, and whether its promise was already resolved.
  func heard<T>(_ what: T) {
    log.record(testQueue.isCurrent ? "\(what)" : "\(what) elsewhere")
    if step.ends != "pending" { log.record("resolved before") }
  }

  func heard<V, E>(_ result: PromiseResult<V, E>) {
    heard(text(result))
  }

  func heard<T, A>(_ what: T, _ answer: A) -> A {
    heard(what)
    return answer
  }

  func heard<V, E, A>(_ result: PromiseResult<V, E>, _ answer: A) -> A {
    heard(text(result), answer)
  }

  /// Returns a promise that `finish` resolves with the answer.
  func late<T, V, E>(_ what: T, _ answer: PromiseResult<V, E>) -> Promise<V, E> {
    heard(what)
    let (promise, resolver) = Promise<V, E>.makeWithResolver()
    resolveLate = { resolver.resolve(with: answer) }
    return promise
  }

  func late<R, F, V, E>(_ result: PromiseResult<R, F>, _ answer: PromiseResult<V, E>) -> Promise<V, E> {
    late(text(result), answer)
  }

  /// Waits for the queue, and resolves the promise that a closure has returned.
  func finish(_ name: String) {
    testQueue.queue.sync {}
    guard let resolveLate else { return }
    XCTAssertEqual(step.ends, "pending", name)
    resolveLate()
  }
}

/// The promise that an operator returns, whatever its type.
protocol Step {
  var ends: String { get }
  func requestCancel()
}

extension Promise: Step {
  var ends: String { text(result) }
}

extension TokenPromise: Step {
  var ends: String { text(inner.result) }
}
