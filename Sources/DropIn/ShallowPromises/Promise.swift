public import Dispatch
internal import Overmorrow

/// The future result of work, and at the same time the object that resolves it.
///
/// The first call of ``fulfill(with:in:)`` or ``complete(with:in:)`` counts, on whichever thread; later calls have no
/// effect. A callback runs on the queue that it was registered with, otherwise on the queue that was given with the
/// result, and otherwise inside the call that resolves the promise. A callback that is registered after that and has no
/// queue runs inside the call that registers it.
open class Promise<U>: Cancellable {
  typealias Outcome = Overmorrow.Promise<Delivery<U>, Delivery<any Error>>

  let outcome: Outcome
  private let resolver: Outcome.Resolver
  /// Resolved after the callbacks that were registered on `outcome` before its result have been called.
  private let end = Outcome.makeForLibrary()
  let little = LittlePromise()

  /// The work that is cancelled with this promise. If it is set after this promise has failed, it is cancelled at once.
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
  ///   - successClosure: Called with the value.
  ///   - queue: The queue on which `successClosure` runs.
  ///   - littlePromise: The work that is cancelled with this promise.
  public required init(
    successClosure: ((U) -> Void)? = nil, queue: DispatchQueue? = nil, littlePromise: (any Cancellable)? = nil
  ) {
    (outcome, resolver) = Outcome.makeForLibrary()
    little.value = littlePromise
    if let successClosure { onSuccess(in: queue, successClosure) }
  }

  /// Fulfils the promise.
  ///
  /// - Parameters:
  ///   - result: The value.
  ///   - queue: The queue for callbacks that have none of their own.
  @discardableResult
  public func fulfill(with result: U, in queue: DispatchQueue? = nil) -> Self {
    settle(.value(Delivery(content: result, queue: queue)))
    return self
  }

  /// Fails the promise.
  ///
  /// - Parameters:
  ///   - error: The error.
  ///   - queue: The queue for callbacks that have none of their own.
  @discardableResult
  public func complete(with error: any Error, in queue: DispatchQueue? = nil) -> Self {
    settle(.error(Delivery(content: error, queue: queue)))
    return self
  }

  /// Continues with the promise that a closure returns for the value.
  ///
  /// The promise returned fails when this one does. Cancelling it cancels this promise, or the promise that the closure
  /// has returned.
  ///
  /// - Parameters:
  ///   - queue: The queue on which `next` runs.
  ///   - next: Called with the value.
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
  ///   - queue: The queue on which `closure` runs.
  ///   - closure: Called with the value.
  @discardableResult
  public func onSuccess(in queue: DispatchQueue? = nil, _ closure: @escaping (U) -> Void) -> Self {
    let closure = Delivery(content: closure, queue: queue)
    if let result = outcome.result {
      result.value?.withoutQueue.deliver(to: closure)
    } else {
      _ = outcome.observeValue(on: .immediate, token: nil) { value in
        value.deliver(to: closure)
        return nil
      }
    }
    return self
  }

  /// Runs a closure with the error.
  ///
  /// - Parameters:
  ///   - queue: The queue on which `closure` runs.
  ///   - closure: Called with the error.
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

  /// Runs a closure after all other callbacks, whatever the result.
  ///
  /// - Parameters:
  ///   - queue: The queue on which `closure` runs.
  ///   - closure: Called without arguments.
  @discardableResult
  public func finally(in queue: DispatchQueue? = nil, _ closure: @escaping () -> Void) -> Self {
    let closure = Delivery<(()) -> Void>(content: closure, queue: queue)
    let run: @Sendable (DispatchQueue?) -> Void = { Delivery(content: (), queue: $0).deliver(to: closure) }
    if outcome.result != nil {
      run(nil)
    } else {
      end.0.observeValue(on: .immediate, token: nil) { value in
        run(value.queue)
        return nil
      }.catch(on: .immediate) { run($0.queue) }
    }
    return self
  }

  /// Returns a promise of the same class with the same result. Cancelling it does not affect this promise.
  ///
  /// - Parameter queue: The queue on which the promise returned is resolved, and on which its callbacks without a queue
  ///   of their own run.
  public func proxy(in queue: DispatchQueue? = nil) -> Self {
    let proxy = Self(successClosure: nil, queue: nil, littlePromise: nil)
    proxy.follow(self, in: queue)
    return proxy
  }

  /// Cancels the ``littlePromise``, then fails this promise with ``PromiseFailure/cancelled`` if it is not resolved.
  ///
  /// Each call cancels the `littlePromise` again, even if this promise is already resolved.
  public func cancel() {
    // A loop, because a chain of promises may be long. Each promise is visited once, because a chain may be a cycle.
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
    // An observer that is registered now runs after the existing ones.
    end.1.resolve(with: outcome.tap())
  }

  private func follow(_ other: Promise, in queue: DispatchQueue? = nil) {
    other.onSuccess(in: queue) { self.fulfill(with: $0) }.onError(in: queue) { self.complete(with: $0) }
  }
}

extension Promise: ChainLink {
  func fail() {
    complete(with: PromiseFailure.cancelled)
    // Cancels a `littlePromise` that was set in the meantime.
    if case .error? = outcome.result { little.cancelOnce() }
  }
}
