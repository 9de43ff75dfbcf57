import Overmorrow
import OvermorrowFlow

/// Overmorrow's promises; callbacks capture an object.
enum OvermorrowHoldings {
  typealias P = Promise<Int, any Error>

  static func pending(_ count: Int) -> Holding {
    let shelf = Shelf<(promise: P, resolver: P.Resolver)>(count)
    return Holding {
      for _ in 0..<count { shelf.content.append(P.makeWithResolver()) }
    } end: {
      for (_, resolver) in shelf.content { resolver.fulfill(with: 1) }
      expect(shelf.content.allSatisfy { $0.promise.result?.value == 1 }, "pending promises")
    }
  }

  static func resolved(_ count: Int) -> Holding {
    let shelf = Shelf<P>(count)
    return Holding {
      for _ in 0..<count { shelf.content.append(P(fulfilled: 1)) }
    } end: {
      expect(shelf.content.allSatisfy { $0.result?.value == 1 }, "resolved promises")
    }
  }

  static func observers(_ count: Int) -> Holding {
    let counter = Counter()
    let (promise, resolver) = P.makeWithResolver()
    return Holding {
      for _ in 0..<count { promise.then(on: .immediate) { counter.value &+= $0 } }
    } end: {
      resolver.fulfill(with: 1)
      expect(counter.value == count, "observers")
    }
  }

  static func taps(_ count: Int) -> Holding {
    let counter = Counter()
    let (promise, resolver) = P.makeWithResolver()
    return Holding {
      for _ in 0..<count { promise.tap(on: .immediate) { counter.value &+= $0.value ?? 0 } }
    } end: {
      resolver.fulfill(with: 1)
      expect(counter.value == count, "observers without a promise")
    }
  }

  static func observed(_ count: Int) -> Holding {
    let counter = Counter()
    let shelf = Shelf<(promise: P, resolver: P.Resolver)>(count)
    return Holding {
      for _ in 0..<count {
        let (promise, resolver) = P.makeWithResolver()
        promise.then(on: .immediate) { counter.value &+= $0 }
        shelf.content.append((promise, resolver))
      }
    } end: {
      for (_, resolver) in shelf.content { resolver.fulfill(with: 1) }
      expect(counter.value == count, "observed promises")
    }
  }

  static func links(_ count: Int) -> Holding {
    let captured = Captured()
    let (root, resolver) = P.makeWithResolver()
    var last = root
    return Holding {
      for _ in 0..<count { last = last.map(on: .immediate) { $0 &+ captured.number } }
    } end: {
      resolver.fulfill(with: 0)
      expect(last.result?.value == count, "map steps")
    }
  }

  // MARK: Tokens

  static func observersWithToken(_ count: Int) -> Holding {
    let (token, counter) = (PromiseInvalidationToken(), Counter())
    let (promise, resolver) = P.makeWithResolver()
    return Holding {
      for _ in 0..<count { promise.then(on: .immediate, token: token) { counter.value &+= $0 } }
    } end: {
      resolver.fulfill(with: 1)
      expect(counter.value == count, "observers with a token")
    }
  }

  /// The promises exist before, so that only their registration is counted.
  static func registrations(_ count: Int) -> Holding {
    let token = PromiseInvalidationToken()
    let pairs = (0..<count).map { _ in P.makeWithResolver() }
    return Holding {
      for (promise, _) in pairs { promise.requestCancelOnInvalidate(token) }
    } end: {
      for (_, resolver) in pairs { resolver.onRequestCancel(on: .immediate) { $0.cancel() } }
      token.invalidate()
      expect(pairs.allSatisfy { $0.0.result?.isCancelled == true }, "registrations with a token")
    }
  }

  // MARK: Time and flow

  static func timers(_ count: Int) -> Holding {
    let shelf = Shelf<P>(count)
    return Holding {
      for index in 0..<count { shelf.content.append(P(on: .utility, fulfilled: index, after: .seconds(3600))) }
    } end: {
      for promise in shelf.content { promise.requestCancel() }
      expect(shelf.content.allSatisfy { $0.result?.isCancelled == true }, "timers")
    }
  }

  static func jobs(_ count: Int) -> Holding {
    let captured = Captured()
    let limiter = PromiseLimiter(width: 1)
    let (running, resolver) = P.makeWithResolver()
    let first = limiter.run(on: .immediate) { running }
    let shelf = Shelf<P>(count)
    return Holding {
      for _ in 0..<count { shelf.content.append(limiter.run(on: .immediate) { P(fulfilled: captured.number) }) }
    } end: {
      resolver.fulfill(with: 1)
      expect(first.result?.value == 1 && shelf.content.allSatisfy { $0.result?.value == 1 }, "jobs")
    }
  }

  // MARK: Tasks

  static func waitingTasks(_ count: Int) -> Holding {
    let counter = Counter()
    let (promise, resolver) = P.makeWithResolver()
    let executor = OneThread()
    return Holding {
      for _ in 0..<count {
        Task(executorPreference: executor) { counter.value &+= try await promise.value }
        executor.runJobs()
      }
    } end: {
      resolver.fulfill(with: 1)
      executor.runJobs()
      expect(counter.value == count, "waiting tasks")
    }
  }
}
