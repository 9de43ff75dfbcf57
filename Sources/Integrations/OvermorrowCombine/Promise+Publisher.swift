#if canImport(Combine)
  public import Combine
  public import Overmorrow
  internal import OvermorrowEngine
#elseif OpenCombine
  public import OpenCombine
  public import Overmorrow
  internal import OvermorrowEngine
#endif

#if canImport(Combine) || OpenCombine
  extension Promise where Failure: Error {
    /// A publisher of the result of this promise, for any number of subscribers.
    ///
    /// Each subscription is a child of the promise and has a vote on the cancellation of the promise. If no other child
    /// wants the result, cancelling the subscription requests the cancellation of the promise.
    ///
    /// - Fulfils: a value is published, and the publisher finishes.
    /// - Fails: the publisher fails with the error.
    /// - Cancels: the publisher finishes without a value, because Combine has no third outcome.
    /// - Runs on: the thread that resolves the promise. If the promise is already resolved, the result is delivered on
    ///   the thread on which the subscriber asks for a value. Use `receive(on:)` for another thread.
    public var publisher: PromisePublisher<Value, Failure> { PromisePublisher(promise: self) }
  }

  /// Publishes the result of a promise.
  public struct PromisePublisher<Output: Sendable, Failure: Error>: Publisher {
    let promise: Promise<Output, Failure>

    /// Subscribes to the result.
    ///
    /// - Parameter subscriber: The subscriber. The subscriber receives the result after it has asked for a value.
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      let subscription = PromiseSubscription(promise) { result in
        switch result {
        case .value(let value):
          _ = subscriber.receive(value)
          subscriber.receive(completion: .finished)
        case .error(let error): subscriber.receive(completion: .failure(error))
        case .cancelled: subscriber.receive(completion: .finished)
        }
      }
      subscriber.receive(subscription: subscription)
    }
  }

  /// Delivers the result of a promise to a subscriber after the subscriber has asked for a value.
  ///
  /// Sendable because the state is used under the lock.
  private final class PromiseSubscription<Value: Sendable, Failure: Error>: Subscription, @unchecked Sendable {
    /// The delivery to a subscriber.
    ///
    /// Sendable because the closure is called once, by the thread that takes the closure out.
    private struct Target: @unchecked Sendable {
      let deliver: (PromiseResult<Value, Failure>) -> Void
    }

    private struct State: Sendable {
      /// `nil` when the subscription has ended.
      var target: Target?
      /// `nil` after the subscriber has asked for a value or has cancelled, so that no handle of the promise is
      /// retained for longer.
      var promise: Promise<Value, Failure>?
    }

    private let state: Guarded<State>
    /// The token whose invalidation withdraws the vote.
    private let token = PromiseInvalidationToken(invalidateOnDeinit: false)

    init(_ promise: Promise<Value, Failure>, _ deliver: @escaping (PromiseResult<Value, Failure>) -> Void) {
      state = Guarded(State(target: Target(deliver: deliver), promise: promise))
    }

    func request(_ demand: Subscribers.Demand) {
      guard demand > .none, let promise = state.withLock({ $0.promise.take() }) else { return }
      promise.always(on: .immediate, token: token) { [self] result in takeTarget()?.deliver(result) }
        .requestCancelOnInvalidate(token)
    }

    func cancel() {
      let state = state.withLock { state in
        defer { state = State() }
        return state
      }
      withExtendedLifetime(state) { token.invalidate() }
    }

    private func takeTarget() -> Target? { state.withLock { $0.target.take() } }
  }
#endif
