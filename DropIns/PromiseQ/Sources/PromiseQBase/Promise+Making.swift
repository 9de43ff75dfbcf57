@_spi(Adapters) internal import Overmorrow
@_spi(Adapters) internal import OvermorrowFlow

extension Promise {
  /// A promise with the same result, but with the error ``PromiseError/cancelled`` in place of cancellation.
  var outcome: Core {
    core.mapResult(on: .immediate) { $0.isCancelled ? .error(PromiseError.cancelled) : $0 }
  }

  /// Returns a promise that a closure resolves through the functions that the closure receives.
  static func resolved(
    in chain: Chain,
    by f: (@escaping (T) -> Void, @escaping (any Error) -> Void, inout (any Asyncable)?) throws -> Void
  ) -> Core {
    let (core, resolver) = PromiseAdapter.makePromise(of: Kept<T>.self, failure: (any Error).self)
    var task: (any Asyncable)?
    // The functions retain the chain, so that the chain lives until its steps have ended.
    do {
      try f(
        { value in withExtendedLifetime(chain) { resolver.fulfill(with: Kept(value)) } },
        { error in withExtendedLifetime(chain) { resolver.reject(with: error) } },
        &task)
    } catch {
      resolver.reject(with: error)
    }
    guard let task else { return core }
    // If a result arrives while the chain is suspended, the promise is resolved only after the task has been resumed.
    let result = core.flatMapResult(on: .immediate) { result in
      chain.pause.whenUnblocked(on: .immediate) { Core(with: result) }
    }
    // As long as a promise of the chain can control the task, the release of both functions does not end the step.
    Tasks([task], in: chain).attach(until: result, resolver, keepingResolver: true)
    return result
  }

  /// Returns a promise for the value that a closure has returned. If the value is itself a promise, the promise
  /// returned waits for the value. When the value is fulfilled, the promise returned is fulfilled with the value. When
  /// the value is rejected, the promise returned is rejected with the same error.
  static func returned(_ value: T, in chain: Chain) -> Core {
    guard T.self is any ChainMember.Type, let member = value as? any ChainMember else {
      return Core(fulfilled: Kept(value))
    }
    let value = Kept(value)
    return member.end(in: chain).map(on: .immediate) { value }
  }

  /// Starts the chain of another promise, and returns a promise for the result of that promise. The other chain is
  /// suspended, resumed and cancelled with `chain`.
  static func followed(_ promise: Promise, in chain: Chain) -> Core {
    let (core, resolver) = PromiseAdapter.makePromise(of: Kept<T>.self, failure: (any Error).self)
    Tasks([promise], in: chain).attach(until: core, resolver)
    promise.handle.chain.begin()
    resolver.resolve(with: promise.core)
    return core
  }

  /// Returns a promise that combines the results of other promises. The chains of those promises are suspended, resumed
  /// and cancelled with the promise returned.
  static func gathered<U>(
    _ promises: [Promise<U>], _ combine: @escaping @Sendable ([Promise<U>.Core]) -> Core
  ) -> Promise {
    let handle = ChainHandle()
    let chain = handle.chain
    let (core, resolver) = PromiseAdapter.makePromise(of: Kept<T>.self, failure: (any Error).self)
    Tasks(promises, in: chain).attach(until: core, resolver)
    _ = chain.start.always(on: .immediate) { _ in
      for promise in promises { promise.handle.chain.beginInTurn() }
      resolver.resolve(with: combine(promises.map(\.outcome)))
    }
    return Promise(chain.steps.add(core, after: nil), in: handle)
  }
}

/// A promise, whatever the type of its value.
protocol ChainMember {
  /// Starts the chain of this promise, and returns a promise that is fulfilled or rejected when this promise is
  /// fulfilled or rejected. The chain of this promise is suspended, resumed and cancelled with `chain`.
  func end(in chain: Chain) -> Overmorrow.Promise<Void, any Error>
}

extension Promise: ChainMember {
  func end(in chain: Chain) -> Overmorrow.Promise<Void, any Error> {
    Promise.followed(self, in: chain).map(on: .immediate) { _ in }
  }
}
