internal import Overmorrow

extension Promise {
  /// The same result, with an error for cancelled.
  var outcome: Core {
    core.mapResult(on: .immediate) { $0.isCancelled ? .error(PromiseError.cancelled) : $0 }
  }

  /// What a closure resolves by the functions that it is called with.
  static func resolved(
    in chain: Chain,
    by f: (@escaping (T) -> Void, @escaping (any Error) -> Void, inout (any Asyncable)?) throws -> Void
  ) -> Core {
    let (core, resolver) = Core.makeForLibrary()
    var task: (any Asyncable)?
    // The chain lives as long as its steps.
    do {
      try f(
        { value in withExtendedLifetime(chain) { resolver.fulfill(with: Kept(value)) } },
        { error in withExtendedLifetime(chain) { resolver.reject(with: error) } },
        &task)
    } catch {
      resolver.reject(with: error)
    }
    guard let task else { return core }
    // What comes while the chain is suspended waits, so that the task is resumed first.
    let result = core.flatMapResult(on: .immediate) { result in
      chain.pause.whenOpen(on: .immediate) { Core(with: result) }
    }
    Tasks([task], in: chain).attach(until: result, resolver)
    return result
  }

  /// What a closure has returned; if that is a promise of another chain, when it is fulfilled.
  static func returned(_ value: T, in chain: Chain) -> Core {
    guard T.self is any ChainMember.Type, let member = value as? any ChainMember else {
      return Core(fulfilled: Kept(value))
    }
    let value = Kept(value)
    return member.end(in: chain).map(on: .immediate) { value }
  }

  /// The result of a promise of another chain, which begins now, and hears of all that happens to this one.
  static func followed(_ promise: Promise, in chain: Chain) -> Core {
    let (core, resolver) = Core.makeForLibrary()
    Tasks([promise], in: chain).attach(until: core, resolver)
    promise.handle.chain.begin()
    resolver.resolve(with: promise.core)
    return core
  }

  /// A promise for something made of the results of others, which hear of all that happens to it.
  static func gathered<U>(
    _ promises: [Promise<U>], _ combine: @escaping @Sendable ([Promise<U>.Core]) -> Core
  ) -> Promise {
    let handle = ChainHandle()
    let chain = handle.chain
    let (core, resolver) = Core.makeForLibrary()
    Tasks(promises, in: chain).attach(until: core, resolver)
    _ = chain.start.always(on: .immediate) { _ in
      for promise in promises { promise.handle.chain.begin() }
      resolver.resolve(with: combine(promises.map(\.outcome)))
    }
    return Promise(chain.steps.add(core, after: nil), in: handle)
  }
}

/// A promise, whatever its value.
protocol ChainMember {
  /// Resolves when the promise does, which begins now, and hears of all that happens to the step of another chain.
  func end(in chain: Chain) -> Overmorrow.Promise<Void, any Error>
}

extension Promise: ChainMember {
  func end(in chain: Chain) -> Overmorrow.Promise<Void, any Error> {
    Promise.followed(self, in: chain).map(on: .immediate) { _ in }
  }
}
