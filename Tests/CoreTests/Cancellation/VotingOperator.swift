import Overmorrow

/// An operator whose promise has a vote on the promise that it is applied to.
struct VotingOperator: Sendable, CustomStringConvertible {
  typealias Subject = TestedOperator.Subject

  let description: String
  /// Whether it has a callback, which retains the object.
  let hasCallback: Bool
  private let operate: @Sendable (Subject, Tracker.Tracked) -> AnyChild

  /// Applies the operator to the unresolved promise of a probe.
  func apply(_ object: Tracker.Tracked) -> (probe: CancelProbe<Int, Reason>, child: AnyChild) {
    let probe = CancelProbe<Int, Reason>()
    return (probe, operate(probe.promise, object))
  }

  /// An operator with a callback.
  private static func calling<U, E>(
    _ name: String, _ operate: @escaping @Sendable (Subject, Tracker.Tracked) -> Promise<U, E>
  ) -> VotingOperator {
    VotingOperator(description: name, hasCallback: true) { AnyChild(operate($0, $1)) }
  }

  /// An operator without a callback.
  private static func plain<U, E>(
    _ name: String, _ operate: @escaping @Sendable (Subject) -> Promise<U, E>
  ) -> VotingOperator {
    VotingOperator(description: name, hasCallback: false) { promise, _ in AnyChild(operate(promise)) }
  }

  static let all =
    TestedOperator.every.filter { !["tap", "onCancel"].contains($0.name) }.map { tested in
      calling(tested.name) { promise, kept in tested(promise, on: .immediate) { _ = kept } }
    } + others

  private static let others: [VotingOperator] = [
    calling("recover from all errors") { promise, kept in
      promise.recover(on: .immediate) { _ in
        _ = kept
        return 1
      }
    },
    plain("upcast") { $0.upcast },
    plain("makeChild") { $0.makeChild() },
    plain("fork, then makeChild") { promise in promise.fork { _ = $0.tap() }.makeChild() },
    plain("delay") { $0.delay(on: .immediate, .seconds(3600)) },
    plain("timeout") { $0.timeout(on: .immediate, .seconds(3600)) },
    plain("timeout for any Error") { $0.upcast.timeout(on: .immediate, .seconds(3600)) as Promise<Int, any Error> },
    plain("when(fulfilled: array)") { when(fulfilled: [$0]) },
    plain("when(fulfilled: a, b)") { when(fulfilled: $0, Promise<Bool, Reason>(fulfilled: true)) },
    plain("when(first:)") { when(first: [$0]) },
    plain("when(firstFulfilled:)") { when(firstFulfilled: [$0]) },
    plain("when(fulfilled: dictionary)") { when(fulfilled: [0: $0]) },
    plain("resolver.resolve(with: promise)") { promise in
      let (adopter, resolver) = Subject.makeWithResolver()
      resolver.resolve(with: promise)
      return adopter
    },
    calling("propagatingCancellation") { promise, kept in
      promise.propagatingCancellation(on: .immediate) { _ in _ = kept }
    },
    plain("bound(to:token:), then makeChild") {
      $0.bound(to: Tracker(), token: PromiseInvalidationToken(invalidateOnDeinit: false)).makeChild().inner
    },
  ]
}
