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
  extension Publisher where Output: Sendable, Failure: Sendable {
    /// Subscribes to this publisher and returns a promise for its first value.
    ///
    /// - Fulfils: with the first value. The subscription is then cancelled.
    /// - Fails: with the failure of the publisher, if the publisher fails before its first value.
    /// - Cancels: if the publisher finishes without a value. A request to cancel cancels the subscription and the
    ///   promise.
    /// - Runs on: the thread on which the publisher delivers.
    /// - Parameters:
    ///   - fileID: The file of the call, for `PromiseDiagnostics`.
    ///   - line: The line of the call.
    public func firstPromise(fileID: StaticString = #fileID, line: UInt = #line) -> Promise<Output, Failure> {
      let (promise, resolver) = Promise<Output, Failure>.makeWithResolver(fileID: fileID, line: line)
      let subscriber = FirstValue<Output, Failure>(resolver)
      resolver.onRequestCancel(on: .immediate) { [weak subscriber] resolver in
        resolver.cancel()
        subscriber?.end { _ in }
      }
      subscribe(subscriber)
      return promise
    }
  }

  /// Resolves a promise with the first value.
  ///
  /// Sendable because the state is used under the lock. Combine requires that a subscription can be cancelled from any
  /// thread.
  private final class FirstValue<Input: Sendable, Failure: Error>: Subscriber, @unchecked Sendable {
    typealias Resolver = Promise<Input, Failure>.Resolver

    /// A subscription that any thread may cancel.
    private struct Link: @unchecked Sendable {
      // Sendable because Combine requires that any thread can cancel a subscription.
      let subscription: any Subscription
    }

    private struct State: Sendable {
      /// `nil` when the promise has been resolved or cancelled.
      var resolver: Resolver?
      var link: Link?
    }

    private let state: Guarded<State>

    init(_ resolver: Resolver) { state = Guarded(State(resolver: resolver)) }

    func receive(subscription: any Subscription) {
      let link = Link(subscription: subscription)
      // An earlier subscription is released after unlocking.
      let (isOver, _) = state.withLock { state in
        defer { if state.resolver != nil { state.link = link } }
        return (state.resolver == nil, state.link)
      }
      if isOver { subscription.cancel() } else { subscription.request(.max(1)) }
    }

    func receive(_ input: Input) -> Subscribers.Demand {
      end { $0.fulfill(with: input) }
      return .none
    }

    func receive(completion: Subscribers.Completion<Failure>) {
      end { resolver in
        switch completion {
        case .finished: resolver.cancel()
        case .failure(let error): resolver.reject(with: error)
        }
      }
    }

    /// Cancels the subscription and resolves the promise. Does nothing if the promise is already resolved.
    func end(_ resolve: (Resolver) -> Void) {
      let (resolver, link) = state.withLock { state in
        defer { state = State(resolver: nil) }
        return (state.resolver, state.link)
      }
      link?.subscription.cancel()
      if let resolver { resolve(resolver) }
    }
  }
#endif
