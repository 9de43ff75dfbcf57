import Dispatch
import Overmorrow
import OvermorrowFlow
import OvermorrowTesting
import TestSupport
import Testing

/// Promises that get their error after the code that reads it has ended, and the ways in which that code ends.
enum EndedReaders {
  typealias Subject = Promise<Int, any Error>

  /// Promises that have the error of another promise.
  static let shapes: [(name: String, make: @Sendable (Subject) -> Subject)] = [
    ("plain", { $0 }),
    ("map", { $0.map(on: .immediate) { $0 } }),
    ("two steps", { $0.map(on: .immediate) { $0 }.tap().then(on: .immediate) { _ in } }),
    ("flatMap", { promise in Subject(fulfilled: 1).flatMap(on: .immediate) { _ in promise } }),
    ("adopter", { promise in Subject(on: .immediate) { $0.resolve(with: promise) } }),
    ("job", { promise in PromiseLimiter(width: 1).run(on: .immediate) { promise } }),
    ("load", { promise in PromiseCache().promise(for: 1, on: .immediate) { _ in promise } }),
    ("gate", { promise in PromiseGate().run { promise } }),
    ("retry", { promise in Subject.retry(PromiseRetryPolicy(attempts: 1), on: .immediate) { _ in promise } }),
  ]

  /// Ways in which the code ends that would have read the error.
  static let endings: [(name: String, end: @Sendable (Subject) async throws -> Void)] = [
    ("when(fulfilled:)", { when(fulfilled: [Subject(rejected: Refusal.first), $0]).catch(on: .immediate) { _ in } }),
    (
      "when(fulfilled:), decided later",
      {
        let (first, resolver) = Subject.makeWithResolver()
        when(fulfilled: [first, $0]).catch(on: .immediate) { _ in }
        resolver.reject(with: Refusal.first)
      }
    ),
    (
      "when(fulfilled:) of a tuple",
      { when(fulfilled: Subject(rejected: Refusal.first), $0).catch(on: .immediate) { _ in } }
    ),
    (
      "when(fulfilled:) of a dictionary",
      { when(fulfilled: [1: Subject(rejected: Refusal.first), 2: $0]).catch(on: .immediate) { _ in } }
    ),
    (
      "when(fulfilled:maxConcurrent:)",
      { promise in
        let all = [promise, Subject(rejected: Refusal.first)]
        when(fulfilled: all, maxConcurrent: 2, on: .immediate) { $0 }.catch(on: .immediate) { _ in }
      }
    ),
    ("when(first:)", { when(first: [Subject(fulfilled: 1), $0]).catch(on: .immediate) { _ in } }),
    (
      "when(first:), decided later",
      {
        let (first, resolver) = Subject.makeWithResolver()
        when(first: [first, $0]).catch(on: .immediate) { _ in }
        resolver.fulfill(with: 1)
      }
    ),
    ("when(firstFulfilled:)", { when(firstFulfilled: [Subject(fulfilled: 1), $0]).catch(on: .immediate) { _ in } }),
    (
      "timeout",
      {
        let clock = TestClock()
        $0.timeout(on: .immediate, .seconds(1), clock: clock).catch(on: .immediate) { _ in }
        clock.run()
      }
    ),
    (
      "catch(token:)",
      {
        let token = PromiseInvalidationToken()
        $0.catch(on: .immediate, token: token) { _ in }
        token.invalidate()
      }
    ),
    (
      "catch(token:), invalidated before",
      {
        let token = PromiseInvalidationToken()
        token.invalidate()
        $0.catch(on: .immediate, token: token) { _ in }
      }
    ),
    (
      "a blocking wait",
      { promise in
        _ = try await onOwnThread("the wait to time out") { try? promise.wait(timeout: .milliseconds(1)) }
      }
    ),
    (
      "an awaiting task",
      { promise in
        let task = Task { try await promise.value }
        task.cancel()
        _ = await task.result
      }
    ),
    (
      "an order of completion",
      { promise in
        for await _ in PromiseCompletionOrder(of: [promise, Subject(fulfilled: 1)]) { break }
      }
    ),
    ("a released owner", { _ = $0.catch(on: .immediate) { _ in }.owned() }),
  ]

  /// Uses of a promise that do not read its error.
  static let unread: [(name: String, use: @Sendable (Subject) -> Void)] = [
    ("nothing", { _ in }),
    ("a callback for values", { $0.then(on: .immediate) { _ in } }),
    ("steps", { _ = $0.map(on: .immediate) { $0 }.makeChild().map(on: .immediate) { $0 } }),
    (
      "a callback whose token is valid",
      { _ = $0.then(on: .immediate, token: PromiseInvalidationToken(invalidateOnDeinit: false)) { _ in } }
    ),
  ]

  /// Uses whose own result has the error, and which are not read.
  static let unreadCombinators: [(name: String, use: @Sendable (Subject) -> Void)] = [
    ("when(fulfilled:)", { _ = when(fulfilled: [$0]) }), ("when(first:)", { _ = when(first: [$0]) }),
    ("timeout", { _ = $0.timeout(on: .immediate, .seconds(60)) }),
  ]
}
