import Dispatch
import Tomorrowland

// References to all initialisers, methods and functions of Tomorrowland, used as function values.

typealias Subject = Promise<Int, String>
typealias Throwing = Promise<Int, any Error>
typealias Bound = TokenPromise<Int, String>

func functions() {
  let results = [PromiseResult<Int, String>.value(1), .error("no"), .cancelled]
  print((1...3).map(Subject.init(fulfilled:)).map { $0.result! })
  print(["no"].map(Subject.init(rejected:)).map { $0.ignored() })
  print(results.map(Subject.init(with:)).map { $0.ignored() })
  print([Result<Int, any Error>.success(1)].map(Throwing.init(with:)).map { $0.result != nil })
  let make: () -> (Subject, Subject.Resolver) = Subject.makeWithResolver
  let (promise, resolver) = make()
  [1].forEach(resolver.fulfill(with:))
  print(promise.result!)
  print([promise].map(Subject.makeChild).map { $0() == promise })
  print([[promise]].map { when(fulfilled: $0, qos: .utility, cancelOnFailure: true) }.count)
}

extension Promise {
  /// The result; also marks an error as observed.
  fileprivate func ignored() -> PromiseResult<Value, Failure> {
    always(on: .immediate) { _ in }
    return result!
  }
}

func references() {
  // Initialisers.
  _ = Subject.init(on:_:)
  _ = Subject.init(on:fulfilled:after:)
  _ = Subject.init(on:rejected:after:)
  _ = Subject.init(on:with:after:)
  _ = DelayedPromise<Int, String>.init(on:_:)
  _ = Bound.init(promise:token:)
  _ = PromiseInvalidationToken.init(invalidateOnDeinit:)
  _ = PromiseContext.init(qos:)
  // Resolvers.
  _ = Subject.Resolver.reject(with:)
  _ = Subject.Resolver.cancel
  _ = Subject.Resolver.resolve(with:) as (Subject.Resolver) -> (PromiseResult<Int, String>) -> Void
  _ = Subject.Resolver.resolve(with:) as (Subject.Resolver) -> (Subject) -> Void
  _ = Subject.Resolver.onRequestCancel(on:_:)
  _ = Throwing.Resolver.handleCallback(isCancelError:)
  // Operators.
  _ = Subject.then(on:token:_:)
  _ = Subject.catch(on:token:_:)
  _ = Subject.always(on:token:_:)
  _ = Subject.tap(on:token:_:)
  _ = Subject.tap as (Subject) -> () -> Subject
  _ = Subject.onCancel(on:token:_:)
  _ = Subject.propagatingCancellation(on:cancelRequested:)
  _ = Subject.requestCancel
  _ = Subject.requestCancelOnInvalidate(_:)
  #if canImport(ObjectiveC)
    _ = Subject.requestCancelOnDeinit(_:) as (Subject) -> (AnyObject) -> Subject
  #endif
  _ = Subject.ignoringCancel
  _ = Subject.withToken(_:)
  _ = Subject.delay(on:_:)
  _ = Subject.timeout(on:delay:) as (Subject) -> (PromiseContext, Double) -> Promise<Int, PromiseTimeoutError<String>>
  _ = Bound.then(on:_:)
  _ = Bound.catch(on:_:)
  _ = Bound.always(on:_:)
  _ = Bound.ignoringCancel
  // Tokens.
  _ = PromiseInvalidationToken.invalidate
  _ = PromiseInvalidationToken.cancelWithoutInvalidating
  _ = PromiseInvalidationToken.chainInvalidation(from:includingCancelWithoutInvalidating:)
  // Combinators.
  _ = when(fulfilled:qos:cancelOnFailure:) as ([Subject], DispatchQoS.QoSClass, Bool) -> Promise<[Int], String>
  _ = when(first:cancelRemaining:) as ([Subject], Bool) -> Subject
}

/// Prints whether each operator that passes a result on returns a new promise even if its source is already resolved.
func identities() {
  for source in [Throwing(fulfilled: 1), Throwing(rejected: CancellationError()), Throwing(with: .cancelled)] {
    source.always(on: .immediate) { _ in }
    let others: [Throwing] = [
      source.then(on: .immediate) { _ in }, source.then(on: .nowOr(.utility)) { _ in },
      source.catch(on: .immediate) { _ in }, source.catch(on: .nowOr(.utility)) { _ in },
      source.always(on: .immediate) { _ in }, source.always(on: .nowOr(.utility)) { _ in },
      source.onCancel(on: .immediate) {}, source.onCancel(on: .nowOr(.utility)) {},
      source.tryThen(on: .immediate) { _ in }, source.tryThen(on: .nowOr(.utility)) { _ in },
      source.then { _ in }, source.catch { _ in }, source.always { _ in }, source.onCancel {}, source.tryThen { _ in },
      source.makeChild(), source.ignoringCancel(), source.tap(),
      source.propagatingCancellation(on: .immediate) { _ in },
      source.map(on: .immediate) { $0 }, source.tryRecover(on: .immediate) { throw $0 },
    ]
    for other in others { other.always(on: .immediate) { _ in } }
    print(others.map { $0 != source })
    print(source.tap(on: .immediate) { _ in } == source, source.fork { _ in } == source)
  }
}
