public import Dispatch
internal import Overmorrow

/// The future result of work, and at the same time the object that resolves it.
///
/// Only the first call of ``fulfill(with:in:)`` or ``complete(with:in:)`` has an effect. These methods can be called on
/// any thread. If a callback was registered with a queue, the callback runs on that queue. A callback without a queue
/// runs on the queue that was given with the result. If no queue was given with the result either, the callback runs
/// inside the call that resolves the promise. If a callback without a queue is registered after the result, the
/// callback runs inside the call that registers it.
open class Promise<U>: Cancellable {
  typealias Outcome = Overmorrow.Promise<Delivery<U>, Delivery<any Error>>

  let outcome: Outcome
  private let resolver: Outcome.Resolver
  /// A promise that is resolved after the callbacks that were registered on `outcome` before the result of `outcome`
  /// have been called.
  private let end = PromiseAdapter.makePromise(of: Delivery<U>.self, failure: Delivery<any Error>.self)
  let little: LittlePromise

  /// The work that is cancelled with this promise. If the work is set after this promise has failed, the work is
  /// cancelled at once.
  public var littlePromise: (any Cancellable)? {
    get { little.value }
    set {
      little.value = newValue
      if case .error? = outcome.result { little.cancelOnce() }
    }
  }

  /// Creates an unresolved promise.
  ///
  /// - Parameters:
  ///   - successClosure: The closure to call with the value.
  ///   - queue: The queue on which `successClosure` runs; none by default.
  ///   - littlePromise: The work that is cancelled with this promise.
  public required init(
    successClosure: ((U) -> Void)? = nil, queue: DispatchQueue? = nil, littlePromise: (any Cancellable)? = nil
  ) {
    (outcome, resolver) = PromiseAdapter.makePromise()
    little = LittlePromise(littlePromise)
    if let successClosure { onSuccess(in: queue, successClosure) }
  }

  /// Fulfils the promise.
  ///
  /// - Parameters:
  ///   - result: The value.
  ///   - queue: The queue for callbacks that have no queue of their own; none by default.
  @discardableResult
  public func fulfill(with result: U, in queue: DispatchQueue? = nil) -> Self {
    settle(.value(Delivery(content: result, queue: queue)))
    return self
  }

  /// Fails the promise.
  ///
  /// - Parameters:
  ///   - error: The error.
  ///   - queue: The queue for callbacks that have no queue of their own; none by default.
  @discardableResult
  public func complete(with error: any Error, in queue: DispatchQueue? = nil) -> Self {
    settle(.error(Delivery(content: error, queue: queue)))
    return self
  }

  /// Continues with the promise that a closure returns for the value.
  ///
  /// The promise returned fails when this promise fails. Before the closure runs, cancelling the promise returned
  /// cancels this promise. After the closure has run, cancelling the promise returned cancels the promise that the
  /// closure has returned.
  ///
  /// - Parameters:
  ///   - queue: The queue on which `next` runs; none by default.
  ///   - next: The closure to call with the value.
  public func then<V>(in queue: DispatchQueue? = nil, _ next: @escaping (U) -> Promise<V>) -> Promise<V> {
    let chained = Promise<V>(littlePromise: self)
    onSuccess(in: queue) { value in
      let inner = next(value)
      chained.littlePromise = inner
      chained.follow(inner)
    }
    onError { chained.complete(with: $0) }
    return chained
  }

  /// Runs a closure with the value.
  ///
  /// - Parameters:
  ///   - queue: The queue on which `closure` runs; none by default.
  ///   - closure: The closure to call with the value.
  @discardableResult
  public func onSuccess(in queue: DispatchQueue? = nil, _ closure: @escaping (U) -> Void) -> Self {
    let closure = Delivery(content: closure, queue: queue)
    if let result = outcome.result {
      result.value?.withoutQueue.deliver(to: closure)
    } else {
      outcome.tap(on: .immediate) { $0.value?.deliver(to: closure) }
    }
    return self
  }

  /// Runs a closure with the error.
  ///
  /// - Parameters:
  ///   - queue: The queue on which `closure` runs; none by default.
  ///   - closure: The closure to call with the error.
  @discardableResult
  public func onError(in queue: DispatchQueue? = nil, _ closure: @escaping (any Error) -> Void) -> Self {
    let closure = Delivery(content: closure, queue: queue)
    if let result = outcome.result {
      result.error?.withoutQueue.deliver(to: closure)
    } else {
      outcome.catch(on: .immediate) { $0.deliver(to: closure) }
    }
    return self
  }

  /// Runs a closure whatever the result. The closure is called or submitted after all callbacks for the value or the
  /// error that were registered before the result.
  ///
  /// - Parameters:
  ///   - queue: The queue on which `closure` runs; none by default.
  ///   - closure: The closure to call.
  @discardableResult
  public func finally(in queue: DispatchQueue? = nil, _ closure: @escaping () -> Void) -> Self {
    let closure = Delivery<(()) -> Void>(content: closure, queue: queue)
    let run: @Sendable (DispatchQueue?) -> Void = { Delivery(content: (), queue: $0).deliver(to: closure) }
    if outcome.result != nil {
      run(nil)
    } else {
      // If the promise was released unresolved, the closure does not run.
      end.0.tap(on: .immediate) { if !$0.isCancelled { run($0.value?.queue ?? $0.error?.queue) } }
    }
    return self
  }

  /// Returns a promise of the same class with the same result. Cancelling the promise returned does not affect this
  /// promise.
  ///
  /// - Parameter queue: The queue on which the promise returned is resolved; none by default. Its callbacks without a
  ///   queue of their own also run on that queue.
  public func proxy(in queue: DispatchQueue? = nil) -> Self {
    let proxy = Self(successClosure: nil, queue: nil, littlePromise: nil)
    proxy.follow(self, in: queue)
    return proxy
  }

  /// Cancels the ``littlePromise``, then fails this promise with ``PromiseFailure/cancelled`` if this promise is
  /// unresolved.
  ///
  /// Each call cancels the `littlePromise` again, even if this promise is already resolved.
  public func cancel() {
    // The promises are visited in a loop, because a chain may be long. Each promise is visited once, because a chain
    // may be a cycle.
    var (chain, visited): ([any ChainLink], Set<ObjectIdentifier>) = ([], [])
    var next: (any Cancellable)? = self
    while let link = next as? any ChainLink {
      guard visited.insert(ObjectIdentifier(link)).inserted else { break }
      chain.append(link)
      next = link.little.markCancelled()
    }
    if !(next is any ChainLink) { next?.cancel() }
    for link in chain.reversed() { link.fail() }
  }

  private func settle(_ result: PromiseResult<Delivery<U>, Delivery<any Error>>) {
    resolver.resolve(with: result)
    // `tap()` registers its observer now, so this observer runs after the existing observers.
    end.1.resolve(with: outcome.tap())
  }

  private func follow(_ other: Promise, in queue: DispatchQueue? = nil) {
    other.onSuccess(in: queue) { self.fulfill(with: $0) }.onError(in: queue) { self.complete(with: $0) }
  }
}

extension Promise: ChainLink {
  func fail() {
    complete(with: PromiseFailure.cancelled)
    // If a new `littlePromise` has been set since `cancel()` visited this promise, the new one is cancelled here.
    if case .error? = outcome.result { little.cancelOnce() }
  }
}
