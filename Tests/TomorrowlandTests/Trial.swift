import Tomorrowland
import XCTest

/// How something has ended, in words.
func text<V, E>(_ result: PromiseResult<V, E>?) -> String {
  switch result {
  case .value(let value)?: "\(value)"
  case .error(let error)?: "error \(error)"
  case .cancelled?: "cancelled"
  case nil: "pending"
  }
}

/// What an operator is tried with: a context and a token, and what its closure does.
final class Trial {
  let token = PromiseInvalidationToken()
  private let testQueue = MarkedQueue()
  private let log = Recorder<String>()
  private var resolveLate: (() -> Void)?
  var step: Step!

  var queue: PromiseContext { testQueue.context }
  var heard: [String] { log.entries }

  /// Notes what a closure was given, whether that was on its context, and before its promise was resolved.
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

  /// Answers with a promise that `finish` resolves.
  func late<T, V, E>(_ what: T, _ answer: PromiseResult<V, E>) -> Promise<V, E> {
    heard(what)
    let (promise, resolver) = Promise<V, E>.makeWithResolver()
    resolveLate = { resolver.resolve(with: answer) }
    return promise
  }

  func late<R, F, V, E>(_ result: PromiseResult<R, F>, _ answer: PromiseResult<V, E>) -> Promise<V, E> {
    late(text(result), answer)
  }

  /// Waits for the queue, and resolves what a closure has answered.
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
