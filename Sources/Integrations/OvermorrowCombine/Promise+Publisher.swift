#if canImport(Combine)
  public import Combine
  public import Overmorrow
#elseif OpenCombine
  public import OpenCombine
  public import Overmorrow
#endif

#if canImport(Combine) || OpenCombine
  extension Promise where Failure: Error {
    /// A publisher of the result of this promise, for any number of subscribers.
    ///
    /// Each subscription is a child of the promise, with one vote on its cancellation: cancelling the subscription asks
    /// the promise to cancel, unless others want it.
    ///
    /// - Fulfils: a value is published, and the publisher finishes.
    /// - Fails: the publisher fails with the error.
    /// - Cancels: the publisher finishes without a value, as Combine has no third outcome.
    /// - Runs on: a subscriber is called where the promise is resolved, or where it asks for a value if that is there.
    ///   Use `receive(on:)` for another place.
    public var publisher: PromisePublisher<Value, Failure> { PromisePublisher(promise: self) }
  }

  /// Publishes the result of a promise.
  public struct PromisePublisher<Output: Sendable, Failure: Error>: Publisher {
    let promise: Promise<Output, Failure>

    /// Subscribes to the result.
    ///
    /// - Parameter subscriber: What receives it, once it has asked for a value.
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

  /// Delivers the result of a promise to a subscriber when it has asked.
  ///
  /// Sendable: the state is used under the lock.
  private final class PromiseSubscription<Value: Sendable, Failure: Error>: Subscription, @unchecked Sendable {
    /// A subscriber.
    ///
    /// Sendable: it is called once, by the thread that takes it.
    private struct Target: @unchecked Sendable {
      let deliver: (PromiseResult<Value, Failure>) -> Void
    }

    private struct State: Sendable {
      /// `nil` once it is over.
      var target: Target?
      /// `nil` once a value was asked for, so that no handle of the promise is kept beyond that.
      var promise: Promise<Value, Failure>?
    }

    private let state: Guarded<State>
    /// Takes the vote back.
    private let token = PromiseInvalidationToken(invalidateOnDeinit: false)

    init(_ promise: Promise<Value, Failure>, _ deliver: @escaping (PromiseResult<Value, Failure>) -> Void) {
      state = Guarded(State(target: Target(deliver: deliver), promise: promise))
    }

    func request(_ demand: Subscribers.Demand) {
      guard demand > .none, let promise = state.withLock({ $0.promise.take() }) else { return }
      promise.withToken(token).always(on: .immediate) { [self] result in takeTarget()?.deliver(result) }
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
