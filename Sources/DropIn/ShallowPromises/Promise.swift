public import Dispatch
internal import Overmorrow

/// The result of work that may still be going on, which is also what resolves it.
///
/// The first call of ``fulfill(with:in:)`` or ``complete(with:in:)`` counts, from whatever thread; later ones do
/// nothing. A callback runs on the queue that it was registered with; else on the one given with the result; else
/// inside the call that resolves the promise. One that is registered later, and has no queue, runs inside the call that
/// registers it.
open class Promise<U>: Cancellable {
  typealias Outcome = Overmorrow.Promise<Delivery<U>, Delivery<any Error>>

  let outcome: Outcome
  private let resolver: Outcome.Resolver
  /// Resolves after the callbacks that `outcome` has by then.
  private let end = Outcome.makeForLibrary()
  let little = LittlePromise()

  /// What is cancelled when this promise is: the work that it stands for. If this promise has failed, it is cancelled
  /// at once.
  public var littlePromise: (any Cancellable)? {
    get { little.value }
    set {
      little.value = newValue
      if case .error? = outcome.result { little.cancelNew() }
    }
  }

  /// A promise that is not resolved yet.
  ///
  /// - Parameters:
  ///   - successClosure: Called with the value.
  ///   - queue: Where `successClosure` runs.
  ///   - littlePromise: What is cancelled when this promise is.
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
  ///   - queue: Where callbacks run that have no queue of their own.
  @discardableResult
  public func fulfill(with result: U, in queue: DispatchQueue? = nil) -> Self {
    settle(.value(Delivery(content: result, queue: queue)))
    return self
  }

  /// Fails the promise.
  ///
  /// - Parameters:
  ///   - error: The error.
  ///   - queue: Where callbacks run that have no queue of their own.
  @discardableResult
  public func complete(with error: any Error, in queue: DispatchQueue? = nil) -> Self {
    settle(.error(Delivery(content: error, queue: queue)))
    return self
  }

  /// A promise for what the promise that a closure makes of the value resolves to.
  ///
  /// It fails when this one does. Cancelling it cancels this one, or the one that the closure has made.
  ///
  /// - Parameters:
  ///   - queue: Where `next` runs.
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
  ///   - queue: Where it runs.
  ///   - closure: Called with the value.
  @discardableResult
  public func onSuccess(in queue: DispatchQueue? = nil, _ closure: @escaping (U) -> Void) -> Self {
    let closure = Delivery(content: closure, queue: queue)
    if let result = outcome.result {
      result.value?.late.hand(to: closure)
    } else {
      _ = outcome.observeValue(on: .immediate, token: nil) { value in
        value.hand(to: closure)
        return nil
      }
    }
    return self
  }

  /// Runs a closure with the error.
  ///
  /// - Parameters:
  ///   - queue: Where it runs.
  ///   - closure: Called with the error.
  @discardableResult
  public func onError(in queue: DispatchQueue? = nil, _ closure: @escaping (any Error) -> Void) -> Self {
    let closure = Delivery(content: closure, queue: queue)
    if let result = outcome.result {
      result.error?.late.hand(to: closure)
    } else {
      outcome.catch(on: .immediate) { $0.hand(to: closure) }
    }
    return self
  }

  /// Runs a closure after all the others, whichever way the promise ends.
  ///
  /// - Parameters:
  ///   - queue: Where it runs.
  ///   - closure: Called without arguments.
  @discardableResult
  public func finally(in queue: DispatchQueue? = nil, _ closure: @escaping () -> Void) -> Self {
    let closure = Delivery<(()) -> Void>(content: closure, queue: queue)
    let run: @Sendable (DispatchQueue?) -> Void = { Delivery(content: (), queue: $0).hand(to: closure) }
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

  /// A promise of the same class with the same result, that can be cancelled without affecting this one.
  ///
  /// - Parameter queue: Where it is resolved, and its callbacks run that have no queue of their own.
  public func proxy(in queue: DispatchQueue? = nil) -> Self {
    let proxy = Self(successClosure: nil, queue: nil, littlePromise: nil)
    proxy.follow(self, in: queue)
    return proxy
  }

  /// Cancels the ``littlePromise``, then fails this promise with ``PromiseFailure/cancelled`` if it is not resolved.
  ///
  /// Each call reaches the `littlePromise`, also when this promise is resolved.
  public func cancel() {
    // A loop, as a chain of promises may be long; each of them is met once, as it may lead back to itself.
    var (chain, met): ([any ChainLink], Set<ObjectIdentifier>) = ([], [])
    var next: (any Cancellable)? = self
    while let link = next as? any ChainLink {
      guard met.insert(ObjectIdentifier(link)).inserted else { break }
      chain.append(link)
      next = link.little.reach()
    }
    if !(next is any ChainLink) { next?.cancel() }
    for link in chain.reversed() { link.fail() }
  }

  private func settle(_ result: PromiseResult<Delivery<U>, Delivery<any Error>>) {
    resolver.resolve(with: result)
    // A new observer is served after those that are there.
    end.1.resolve(with: outcome.tap())
  }

  private func follow(_ other: Promise, in queue: DispatchQueue? = nil) {
    other.onSuccess(in: queue) { self.fulfill(with: $0) }.onError(in: queue) { self.complete(with: $0) }
  }
}

extension Promise: ChainLink {
  func fail() {
    complete(with: PromiseFailure.cancelled)
    // One that has been set meanwhile.
    if case .error? = outcome.result { little.cancelNew() }
  }
}
