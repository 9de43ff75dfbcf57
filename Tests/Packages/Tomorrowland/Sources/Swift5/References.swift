import Dispatch
import Tomorrowland

// What `Functions.swift` leaves out: the operators that transform, tokens, results, operations and combinators.

typealias BoundThrowing = TokenPromise<Int, any Error>
typealias Token = PromiseInvalidationToken?

private struct Fault: Error {}

func moreReferences() {
  _ =
    Subject.map(on:token:_:)
    as (Subject) -> (PromiseContext, Token, @escaping @Sendable (Int) -> Bool) -> Promise<Bool, String>
  _ =
    Subject.flatMap(on:token:_:)
    as (Subject) -> (PromiseContext, Token, @escaping @Sendable (Int) -> Promise<Bool, String>) -> Promise<Bool, String>
  _ =
    Subject.recover(on:token:_:)
    as (Subject) -> (PromiseContext, Token, @escaping @Sendable (String) -> Int) -> Promise<Int, NoError>
  _ =
    Subject.mapError(on:token:_:)
    as (Subject) -> (PromiseContext, Token, @escaping @Sendable (String) -> Bool) -> Promise<Int, Bool>
  _ =
    Subject.flatMapError(on:token:_:)
    as (Subject) -> (PromiseContext, Token, @escaping @Sendable (String) -> Promise<Int, Bool>) -> Promise<Int, Bool>
  _ =
    Subject.tryMapError(on:token:_:)
    as (Subject) -> (PromiseContext, Token, @escaping @Sendable (String) throws -> Fault) -> Throwing
  _ =
    Subject.tryFlatMapError(on:token:_:)
    as (Subject) -> (PromiseContext, Token, @escaping @Sendable (String) throws -> Promise<Int, Fault>) -> Throwing
  _ =
    Subject.tryMapError(on:token:_:)
    as (Subject) -> (PromiseContext, Token, @escaping @Sendable (String) throws -> any Error) -> Throwing
  _ =
    Subject.tryFlatMapError(on:token:_:)
    as (Subject) -> (PromiseContext, Token, @escaping @Sendable (String) throws -> Throwing) -> Throwing
  _ =
    Subject.mapResult(on:token:_:)
    as (Subject) -> (
      PromiseContext, Token, @escaping @Sendable (PromiseResult<Int, String>) -> PromiseResult<Bool, Int>
    ) -> Promise<Bool, Int>
  _ =
    Subject.flatMapResult(on:token:_:)
    as (Subject) -> (PromiseContext, Token, @escaping @Sendable (PromiseResult<Int, String>) -> Promise<Bool, Int>) ->
    Promise<Bool, Int>
  _ =
    Subject.tryMapResult(on:token:_:)
    as (Subject) -> (
      PromiseContext, Token, @escaping @Sendable (PromiseResult<Int, String>) throws -> PromiseResult<Bool, Fault>
    ) -> Promise<Bool, any Error>
  _ =
    Subject.tryFlatMapResult(on:token:_:)
    as (Subject) -> (
      PromiseContext, Token, @escaping @Sendable (PromiseResult<Int, String>) throws -> Promise<Bool, Fault>
    ) -> Promise<Bool, any Error>
  _ =
    Subject.tryMapResult(on:token:_:)
    as (Subject) -> (
      PromiseContext, Token, @escaping @Sendable (PromiseResult<Int, String>) throws -> PromiseResult<Bool, any Error>
    ) -> Promise<Bool, any Error>
  _ =
    Subject.tryFlatMapResult(on:token:_:)
    as (Subject) -> (
      PromiseContext, Token, @escaping @Sendable (PromiseResult<Int, String>) throws -> Promise<Bool, any Error>
    ) -> Promise<Bool, any Error>
  _ = Subject.makeChild
  _ = Subject.fork(_:)
  _ = Throwing.tryThen(on:token:_:)
  _ =
    Throwing.tryMap(on:token:_:)
    as (Throwing) -> (PromiseContext, Token, @escaping @Sendable (Int) throws -> Bool) -> Promise<Bool, any Error>
  _ =
    Throwing.tryFlatMap(on:token:_:)
    as (Throwing) -> (PromiseContext, Token, @escaping @Sendable (Int) throws -> Promise<Bool, any Error>) -> Promise<
      Bool, any Error
    >
  _ =
    Throwing.tryFlatMap(on:token:_:)
    as (Throwing) -> (PromiseContext, Token, @escaping @Sendable (Int) throws -> Promise<Bool, Fault>) -> Promise<
      Bool, any Error
    >
  _ = Throwing.tryRecover(on:token:_:)
  _ = Throwing.Resolver.resolve(with:) as (Throwing.Resolver) -> (PromiseResult<Int, Fault>) -> Void
  _ = Throwing.Resolver.resolve(with:) as (Throwing.Resolver) -> (Result<Int, any Error>) -> Void
  _ = Throwing.timeout(on:delay:) as (Throwing) -> (PromiseContext, Double) -> Throwing
  _ = Subject.init(on:fulfilled:after:) as (PromiseContext, Int, Double) -> Subject
  _ = Subject.init(on:rejected:after:) as (PromiseContext, String, Double) -> Subject
  _ = Subject.init(on:with:after:) as (PromiseContext, PromiseResult<Int, String>, Double) -> Subject
  _ = Subject.delay(on:_:) as (Subject) -> (PromiseContext, Double) -> Subject
  _ = Subject.init(on:_:) as (PromiseContext, @escaping @Sendable (Subject.Resolver) -> Void) -> Subject
  _ = Throwing.init(on:_:) as (PromiseContext, @escaping @Sendable (Throwing.Resolver) throws -> Void) -> Throwing
  _ = PromiseOperation<Int, String>.init(on:_:)
  _ = PromiseOperation<Int, String>.cancel
  // Results.
  typealias R = PromiseResult<Int, String>
  _ = R.map(_:) as (R) -> ((Int) throws -> Bool) throws -> PromiseResult<Bool, String>
  _ = R.mapError(_:) as (R) -> ((String) throws -> Bool) throws -> PromiseResult<Int, Bool>
  _ = R.flatMap(_:) as (R) -> ((Int) throws -> PromiseResult<Bool, String>) throws -> PromiseResult<Bool, String>
  _ = R.flatMapError(_:) as (R) -> ((String) throws -> PromiseResult<Int, Bool>) throws -> PromiseResult<Int, Bool>
  _ = PromiseResult<Int, any Error>.init(_:) as (Result<Int, any Error>) -> PromiseResult<Int, any Error>
  _ = Throwing.init(with:) as (Result<Int, any Error>) -> Throwing
  // Tokens.
  _ = PromiseInvalidationToken.requestCancelOnInvalidate(_:) as (PromiseInvalidationToken) -> (Subject) -> Void
  _ = Bound.map(on:_:) as (Bound) -> (PromiseContext, @escaping @Sendable (Int) -> Bool) -> TokenPromise<Bool, String>
  _ =
    Bound.flatMap(on:_:)
    as (Bound) -> (PromiseContext, @escaping @Sendable (Int) -> Promise<Bool, String>) -> TokenPromise<Bool, String>
  _ = Bound.recover(on:_:)
  _ =
    Bound.mapError(on:_:)
    as (Bound) -> (PromiseContext, @escaping @Sendable (String) -> Bool) -> TokenPromise<Int, Bool>
  _ =
    Bound.flatMapError(on:_:)
    as (Bound) -> (PromiseContext, @escaping @Sendable (String) -> Promise<Int, Bool>) -> TokenPromise<Int, Bool>
  _ =
    Bound.tryMapError(on:_:)
    as (Bound) -> (PromiseContext, @escaping @Sendable (String) throws -> Fault) -> BoundThrowing
  _ =
    Bound.tryMapError(on:_:)
    as (Bound) -> (PromiseContext, @escaping @Sendable (String) throws -> any Error) -> BoundThrowing
  _ =
    Bound.tryFlatMapError(on:_:)
    as (Bound) -> (PromiseContext, @escaping @Sendable (String) throws -> Promise<Int, Fault>) -> BoundThrowing
  _ =
    Bound.tryFlatMapError(on:_:)
    as (Bound) -> (PromiseContext, @escaping @Sendable (String) throws -> Throwing) -> BoundThrowing
  _ =
    Bound.mapResult(on:onComplete:)
    as (Bound) -> (PromiseContext, @escaping @Sendable (PromiseResult<Int, String>) -> PromiseResult<Bool, Int>) ->
    TokenPromise<Bool, Int>
  _ =
    Bound.flatMapResult(on:_:)
    as (Bound) -> (PromiseContext, @escaping @Sendable (PromiseResult<Int, String>) -> Promise<Bool, Int>) ->
    TokenPromise<Bool, Int>
  _ =
    Bound.tryMapResult(on:_:)
    as (Bound) -> (
      PromiseContext, @escaping @Sendable (PromiseResult<Int, String>) throws -> PromiseResult<Bool, Fault>
    ) -> TokenPromise<Bool, any Error>
  _ =
    Bound.tryMapResult(on:_:)
    as (Bound) -> (
      PromiseContext, @escaping @Sendable (PromiseResult<Int, String>) throws -> PromiseResult<Bool, any Error>
    ) -> TokenPromise<Bool, any Error>
  _ =
    Bound.tryFlatMapResult(on:_:)
    as (Bound) -> (PromiseContext, @escaping @Sendable (PromiseResult<Int, String>) throws -> Promise<Bool, Fault>) ->
    TokenPromise<Bool, any Error>
  _ =
    Bound.tryFlatMapResult(on:_:)
    as (Bound) -> (PromiseContext, @escaping @Sendable (PromiseResult<Int, String>) throws -> Promise<Bool, any Error>)
    -> TokenPromise<Bool, any Error>
  _ = Bound.tap(on:_:)
  _ = Bound.tap as (Bound) -> () -> Bound
  _ = Bound.onCancel(on:_:)
  _ = Bound.fork(_:)
  _ = Bound.requestCancelOnInvalidate(_:)
  _ = BoundThrowing.tryThen(on:_:)
  _ =
    BoundThrowing.tryMap(on:_:)
    as (BoundThrowing) -> (PromiseContext, @escaping @Sendable (Int) throws -> Bool) -> TokenPromise<Bool, any Error>
  _ =
    BoundThrowing.tryFlatMap(on:_:)
    as (BoundThrowing) -> (PromiseContext, @escaping @Sendable (Int) throws -> Promise<Bool, any Error>) ->
    TokenPromise<Bool, any Error>
  _ =
    BoundThrowing.tryFlatMap(on:_:)
    as (BoundThrowing) -> (PromiseContext, @escaping @Sendable (Int) throws -> Promise<Bool, Fault>) -> TokenPromise<
      Bool, any Error
    >
  _ = BoundThrowing.tryRecover(on:_:)
  _ =
    BoundThrowing.tryFlatMapError(on:_:)
    as (BoundThrowing) -> (PromiseContext, @escaping @Sendable (any Error) throws -> Throwing) -> BoundThrowing
  // Combinators of several types.
  typealias P = Subject
  _ = when(fulfilled:_:qos:cancelOnFailure:) as (P, P, DispatchQoS.QoSClass, Bool) -> Promise<(Int, Int), String>
  _ =
    when(fulfilled:_:_:qos:cancelOnFailure:)
    as (P, P, P, DispatchQoS.QoSClass, Bool) -> Promise<(Int, Int, Int), String>
  _ =
    when(fulfilled:_:_:_:qos:cancelOnFailure:)
    as (P, P, P, P, DispatchQoS.QoSClass, Bool) -> Promise<(Int, Int, Int, Int), String>
  _ =
    when(fulfilled:_:_:_:_:qos:cancelOnFailure:)
    as (P, P, P, P, P, DispatchQoS.QoSClass, Bool) -> Promise<(Int, Int, Int, Int, Int), String>
  _ =
    when(fulfilled:_:_:_:_:_:qos:cancelOnFailure:)
    as (P, P, P, P, P, P, DispatchQoS.QoSClass, Bool) -> Promise<(Int, Int, Int, Int, Int, Int), String>
}
