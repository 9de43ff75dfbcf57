import Overmorrow

/// An operator whose promise has a vote on the promise that it is applied to.
struct VotingOperator: Sendable, CustomStringConvertible {
  /// The operator applied to the unresolved promise of a probe.
  struct Applied: Sendable {
    let probe: any AnyCancelProbe
    let child: AnyChild
  }

  let description: String
  /// Whether it has a callback, which keeps the object.
  let hasCallback: Bool
  let apply: @Sendable (Tracker.Tracked) -> Applied

  private init<Failure: Sendable, U, E>(
    _ name: String, hasCallback: Bool,
    _ operate: @escaping @Sendable (Promise<Int, Failure>, Tracker.Tracked) -> Promise<U, E>
  ) {
    description = name
    self.hasCallback = hasCallback
    apply = { object in
      let probe = CancelProbe<Int, Failure>()
      return Applied(probe: probe, child: AnyChild(operate(probe.promise, object)))
    }
  }

  /// An operator with a callback.
  private static func calling<Failure: Sendable, U, E>(
    _ name: String, _ operate: @escaping @Sendable (Promise<Int, Failure>, Tracker.Tracked) -> Promise<U, E>
  ) -> VotingOperator {
    VotingOperator(name, hasCallback: true, operate)
  }

  private static func calling(_ tested: TestedOperator) -> VotingOperator {
    calling(tested.description) { promise, kept in tested(promise, on: .immediate) { _ = kept } }
  }

  /// An operator without a callback.
  private static func plain<Failure: Sendable, U, E>(
    _ name: String, _ operate: @escaping @Sendable (Promise<Int, Failure>) -> Promise<U, E>
  ) -> VotingOperator {
    VotingOperator(name, hasCallback: false) { promise, _ in operate(promise) }
  }

  static let all =
    TestedOperator.every.filter { !["tap", "onCancel"].contains($0.name) }.map { calling($0) } + others

  private static let others: [VotingOperator] = [
    calling("recover from all errors") { (promise: Promise<Int, Flaw>, kept) in
      promise.recover(on: .immediate) { _ in
        _ = kept
        return 1
      }
    },
    plain("upcast") { (promise: Promise<Int, ProbeError>) in promise.upcast },
    plain("makeChild") { (promise: Promise<Int, Flaw>) in promise.makeChild() },
    plain("fork, then makeChild") { (promise: Promise<Int, Flaw>) in promise.fork { _ = $0.tap() }.makeChild() },
    plain("delay") { (promise: Promise<Int, Flaw>) in promise.delay(on: .immediate, .seconds(3600)) },
    plain("timeout") { (promise: Promise<Int, Flaw>) in promise.timeout(on: .immediate, .seconds(3600)) },
    plain("timeout for any Error") { (promise: Promise<Int, any Error>) in
      promise.timeout(on: .immediate, .seconds(3600)) as Promise<Int, any Error>
    },
    plain("when(fulfilled: array)") { (promise: Promise<Int, Flaw>) in when(fulfilled: [promise]) },
    plain("when(fulfilled: a, b)") { (promise: Promise<Int, Flaw>) in
      when(fulfilled: promise, Promise<Bool, Flaw>(fulfilled: true))
    },
    plain("when(first:)") { (promise: Promise<Int, Flaw>) in when(first: [promise]) },
    plain("when(firstFulfilled:)") { (promise: Promise<Int, Flaw>) in when(firstFulfilled: [promise]) },
    plain("when(fulfilled: dictionary)") { (promise: Promise<Int, Flaw>) in when(fulfilled: [0: promise]) },
    plain("resolver.resolve(with: promise)") { (promise: Promise<Int, Flaw>) in
      let (adopter, resolver) = Promise<Int, Flaw>.makeWithResolver()
      resolver.resolve(with: promise)
      return adopter
    },
    calling("propagatingCancellation") { (promise: Promise<Int, Flaw>, kept) in
      promise.propagatingCancellation(on: .immediate) { _ in _ = kept }
    },
    plain("withToken, then makeChild") { (promise: Promise<Int, Flaw>) in
      promise.withToken(PromiseInvalidationToken(invalidateOnDeinit: false)).inner.makeChild()
    },
  ]
}
