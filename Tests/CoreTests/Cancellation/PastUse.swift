import OvermorrowTesting

@testable import Overmorrow
@testable import OvermorrowEngine

/// A way to wait for a promise that ends while the promise is still pending.
struct PastUse: Sendable, CustomStringConvertible {
  typealias Subject = Promise<Int, Flaw>

  let description: String
  let times: Int
  let run: @Sendable (Subject) async -> Void

  private init(_ name: String, times: Int = 40, _ run: @escaping @Sendable (Subject) async -> Void) {
    description = name
    self.times = times
    self.run = run
  }

  static let all = ended + combined + timed + asked + cancelledByTokens + awaited

  private static let ended = [
    PastUse("an observer whose owning handle was released") { _ = $0.then(on: .immediate) { _ in }.owned() },
    PastUse("a chain whose owning handle was released") {
      _ = $0.map(on: .utility) { $0 }.flatMap(on: .immediate) { Promise(fulfilled: $0) }.then { _ in }.owned()
    },
    PastUse("an observer of a child, whose owning handle was released") {
      _ = $0.makeChild().then(on: .immediate) { _ in }.owned()
    },
  ]

  private static let combined = [
    PastUse("when(first:)") { _ = when(first: [$0, Promise(fulfilled: 1)]) },
    PastUse("when(first:cancelRemaining:) of a child") {
      _ = when(first: [$0.makeChild(), Promise(fulfilled: 1)], cancelRemaining: true)
    },
    PastUse("when(firstFulfilled:)") { _ = when(firstFulfilled: [$0, Promise(fulfilled: 1)]) },
    PastUse("when(fulfilled:)") { _ = when(fulfilled: [$0, Promise(rejected: "no")]) },
    PastUse("when(fulfilled:) that is cancelled") { when(fulfilled: [$0, $0.makeChild()]).requestCancel() },
    PastUse("a tuple") { _ = when(fulfilled: $0, Subject(with: .cancelled)) },
  ]

  private static let timed = [
    PastUse("a timeout of zero") { _ = $0.timeout(on: .immediate, .zero) },
    PastUse("a timeout") { $0.timeOut() },
    PastUse("a timeout of a child") { $0.makeChild().timeOut() },
    PastUse("a delay that is cancelled") { $0.delay(on: .immediate, .seconds(100)).requestCancel() },
    PastUse("a blocking wait", times: 5) { $0.waitInVain() },
  ]

  private static let asked = [
    PastUse("a child that was released after a request to cancel") { $0.makeChild().requestCancel() },
    PastUse("children of children that were asked to cancel") { promise in
      let child = promise.makeChild()
      let (one, other) = (child.makeChild().upcast, child.tap())
      one.requestCancel()
      other.requestCancel()
    },
    PastUse("an adopter that was asked to cancel") { promise in
      let (adopter, resolver) = Subject.makeWithResolver()
      resolver.resolve(with: promise)
      adopter.requestCancel()
    },
    PastUse("an adopter that was asked before it adopted") { promise in
      let (adopter, resolver) = Subject.makeWithResolver()
      adopter.requestCancel()
      resolver.resolve(with: promise)
    },
    PastUse("an asked child that ignores requests") { $0.ignoringCancel().requestCancel() },
  ]

  private static let cancelledByTokens = [
    PastUse("a chain whose token was invalidated") { promise in
      let token = PromiseInvalidationToken()
      promise.then(on: .immediate, token: token) { _ in }.requestCancelOnInvalidate(token)
        .map(on: .utility, token: token) { $0 }.requestCancelOnInvalidate(token)
        .catch(on: .immediate, token: token) { _ in }.requestCancelOnInvalidate(token)
      token.invalidate()
    },
    PastUse("an observer whose token was invalidated") { promise in
      let token = PromiseInvalidationToken()
      promise.then(on: .immediate, token: token) { _ in }
      token.invalidate()
    },
    PastUse("an observer whose token was invalidated and that was released afterwards") { promise in
      let token = PromiseInvalidationToken()
      let observer = promise.then(on: .immediate, token: token) { _ in }
      token.invalidate()
      withExtendedLifetime(observer) {}
    },
    PastUse("observers of an observer that were released in their order after an invalidation") {
      promise in
      let token = PromiseInvalidationToken()
      let first = promise.map(on: .immediate, token: token) { $0 }
      let second = first.map(on: .immediate, token: token) { $0 }
      let third = second.makeChild()
      token.invalidate()
      third.requestCancel()
      _ = consume first
      _ = consume second
      _ = consume third
    },
    PastUse("observers of an observer, all with tokens") { promise in
      let (one, other) = (PromiseInvalidationToken(), PromiseInvalidationToken())
      promise.map(on: .utility, token: one) { $0 }.then(on: .immediate, token: other) { _ in }
      other.invalidate()
      one.invalidate()
    },
    PastUse("a chain of which one of two tokens was invalidated") { promise in
      let (one, other, owner) = (PromiseInvalidationToken(), PromiseInvalidationToken(), Tracker())
      promise.bound(to: owner, token: one).then(on: .immediate, token: other) { _, _ in }
        .always(on: .immediate, token: other) { _, _ in }.requestCancelOnInvalidate(other)
      other.invalidate()
    },
    PastUse("a bound chain whose token was invalidated") { promise in
      let (token, owner) = (PromiseInvalidationToken(), Tracker())
      promise.bound(to: owner, token: token).then(on: .immediate) { _, _ in }
      token.invalidate()
    },
    PastUse("a chain whose token followed another one") { promise in
      let (token, other) = (PromiseInvalidationToken(), PromiseInvalidationToken())
      token.chainInvalidation(from: other)
      promise.then(on: .immediate, token: token) { _ in }.requestCancelOnInvalidate(token)
      other.invalidate()
    },
  ]

  private static let awaited = [
    PastUse("a task that was cancelled") { promise in
      let task = Task { try await promise.value }
      task.cancel()
      _ = await task.result
    },
    PastUse("an iteration that has ended") { promise in
      var iterator = PromiseCompletionOrder(of: [promise, Promise(fulfilled: 1)]).makeAsyncIterator()
      _ = await iterator.next()
    },
  ]
}

extension Promise {
  fileprivate func timeOut() {
    let clock = TestClock()
    let child = timeout(on: .immediate, .seconds(1), clock: clock)
    clock.advance(by: .seconds(2))
    _ = child
  }

  fileprivate func waitInVain() { _ = waitForResult(timeout: .milliseconds(1)) }

  /// The number of cores in the promise's list, including those that have ended. No other thread may use the promise
  /// while this runs.
  var waiterCount: Int {
    var (waiter, count) = (handle.core.state.newestWaiter, 0)
    while let core = waiter {
      count += 1
      waiter = core.next
    }
    return count
  }
}
