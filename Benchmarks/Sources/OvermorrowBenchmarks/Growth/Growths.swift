import Overmorrow
import OvermorrowFlow

/// The kinds of objects that are made in large numbers. Their callbacks capture an object.
enum Growths {
  private typealias P = Promise<Int, any Error>

  /// The bare objects come first, because the others are compared with them.
  static let all: [Growth] = [
    BareObject.growth, links, observers, inputs, callbacksWithToken, promisesWithToken, resolvedWithToken,
    cancelledTimers,
    dueTimers, jobs, keys,
  ]

  // MARK: One promise

  private static let links = Growth("map links") { count in
    let captured = Captured()
    let (root, resolver) = P.makeWithResolver()
    var end = root
    for _ in 0..<count { end = end.map(on: .immediate) { $0 &+ captured.number } }
    let last = end
    return {
      resolver.fulfill(with: 0)
      expect(last.result?.value == count, "map links")
    }
  }

  private static let observers = Growth("observers") { count in
    let counter = Counter()
    let (promise, resolver) = P.makeWithResolver()
    for _ in 0..<count { promise.then(on: .immediate) { counter.value &+= $0 } }
    return {
      resolver.fulfill(with: 1)
      expect(counter.value == count, "observers")
    }
  }

  private static let inputs = Growth("inputs of when") { count in
    let (promises, resolvers) = pending(count)
    let all = when(fulfilled: promises)
    return {
      for (index, resolver) in resolvers.enumerated() { resolver.fulfill(with: index) }
      expect(all.result?.value?.elementsEqual(0..<count) == true, "inputs of when")
    }
  }

  private static func pending(_ count: Int) -> (promises: [P], resolvers: [P.Resolver]) {
    var promises: [P] = []
    var resolvers: [P.Resolver] = []
    promises.reserveCapacity(count)
    resolvers.reserveCapacity(count)
    for _ in 0..<count {
      let (promise, resolver) = P.makeWithResolver()
      promises.append(promise)
      resolvers.append(resolver)
    }
    return (promises, resolvers)
  }

  // MARK: Tokens

  /// Callbacks of one promise, which a token suppresses.
  private static let callbacksWithToken = Growth("token: callbacks") { count in
    let (token, counter) = (PromiseInvalidationToken(), Counter())
    let (promise, resolver) = P.makeWithResolver()
    for _ in 0..<count { promise.then(on: .immediate, token: token) { counter.value &+= $0 } }
    return {
      token.invalidate()
      resolver.fulfill(with: 1)
      expect(counter.value == 0 && promise.result?.value == 1, "token: callbacks")
    }
  }

  /// Promises that a token cancels.
  private static let promisesWithToken = Growth("token: promises") { count in
    let token = PromiseInvalidationToken()
    let promises = (0..<count).map { _ in
      let (promise, resolver) = P.makeWithResolver()
      resolver.onRequestCancel(on: .immediate) { $0.cancel() }
      return promise.requestCancelOnInvalidate(token)
    }
    return {
      token.invalidate()
      expect(promises.allSatisfy { $0.result?.isCancelled == true }, "token: promises")
    }
  }

  /// Promises that are fulfilled, which removes them from their token.
  private static let resolvedWithToken = Growth("token: fulfilled") { count in
    let token = PromiseInvalidationToken()
    let (promises, resolvers) = pending(count)
    for promise in promises { promise.requestCancelOnInvalidate(token) }
    return {
      for resolver in resolvers { resolver.fulfill(with: 1) }
      token.invalidate()
      expect(promises.allSatisfy { $0.result?.value == 1 }, "token: fulfilled")
    }
  }

  // MARK: Time

  /// Timers with unordered deadlines, cancelled in the order in which they were made.
  private static let cancelledTimers = Growth("timers, cancelled") { count in
    let promises = (0..<count).map { index in
      P(on: .utility, fulfilled: index, after: .seconds(3600) + .milliseconds((index &* 40_503) & 0xFFFF))
    }
    return {
      for promise in promises { promise.requestCancel() }
      expect(promises.allSatisfy { $0.result?.isCancelled == true }, "timers, cancelled")
    }
  }

  /// Timers with the same deadline and an observer each. The deadline passes after all of them have been made, unless
  /// the machine is too slow.
  private static let dueTimers = Growth("timers, due", isKept: false, atLeast: 2_000) { count in
    let tally = Tally(count)
    let deadline = ContinuousClock.now + max(.microseconds(200), .microseconds(10) * count)
    for _ in 0..<count {
      P(on: .utility, fulfilled: 1, after: ContinuousClock.now.duration(to: deadline))
        .then(on: .immediate) { _ in tally.count() }
    }
    // Returns when each timer has called its observer.
    return { tally.wait() }
  }

  // MARK: Flow

  /// Jobs that wait behind a running one.
  private static let jobs = Growth("jobs of a limiter") { count in
    let captured = Captured()
    let limiter = PromiseLimiter(width: 1)
    let (running, resolver) = P.makeWithResolver()
    let first = limiter.run(on: .immediate) { running }
    let promises = (0..<count).map { _ in limiter.run(on: .immediate) { P(fulfilled: captured.number) } }
    expect(limiter.pendingCount == count, "jobs of a limiter")
    return {
      resolver.fulfill(with: 1)
      expect(first.result?.value == 1 && promises.allSatisfy { $0.result?.value == 1 }, "jobs of a limiter")
    }
  }

  /// Keys with a cached value. Each key is requested twice.
  private static let keys = Growth("keys of a cache") { count in
    let captured = Captured()
    let cache = PromiseCache<Int, Int, any Error>()
    func load(_ key: Int) -> P { cache.promise(for: key, on: .immediate) { P(fulfilled: $0 &+ captured.number) } }
    for key in 0..<count { _ = load(key) }
    return {
      expect((0..<count).allSatisfy { load($0).result?.value == $0 + 1 }, "keys of a cache")
      cache.removeAll()
    }
  }
}
