import Dispatch
import Tomorrowland

// The references that `Functions.swift` leaves out: transforms, tokens, results, operations and combinators.

typealias BoundThrowing = TokenPromise<Int, any Error>
typealias ThrowingBool = Promise<Bool, any Error>
typealias BoundBool = TokenPromise<Bool, any Error>
typealias Token = PromiseInvalidationToken?
typealias R = PromiseResult<Int, String>

// An operator of `P` that returns `Q` and takes a closure from `A` to `B`: for a promise, and for a chain with a token.
typealias Step<P, A, B, Q> = (P) -> (PromiseContext, Token, @escaping @Sendable (A) -> B) -> Q
typealias TryStep<P, A, B, Q> = (P) -> (PromiseContext, Token, @escaping @Sendable (A) throws -> B) -> Q
typealias BoundStep<P, A, B, Q> = (P) -> (PromiseContext, @escaping @Sendable (A) -> B) -> Q
typealias BoundTryStep<P, A, B, Q> = (P) -> (PromiseContext, @escaping @Sendable (A) throws -> B) -> Q

private struct Fault: Error {}

func moreReferences() {
  _ = Subject.map(on:token:_:) as Step<Subject, Int, Bool, Promise<Bool, String>>
  _ = Subject.flatMap(on:token:_:) as Step<Subject, Int, Promise<Bool, String>, Promise<Bool, String>>
  _ = Subject.recover(on:token:_:) as Step<Subject, String, Int, Promise<Int, NoError>>
  _ = Subject.mapError(on:token:_:) as Step<Subject, String, Bool, Promise<Int, Bool>>
  _ = Subject.flatMapError(on:token:_:) as Step<Subject, String, Promise<Int, Bool>, Promise<Int, Bool>>
  _ = Subject.tryMapError(on:token:_:) as TryStep<Subject, String, Fault, Throwing>
  _ = Subject.tryFlatMapError(on:token:_:) as TryStep<Subject, String, Promise<Int, Fault>, Throwing>
  _ = Subject.tryMapError(on:token:_:) as TryStep<Subject, String, any Error, Throwing>
  _ = Subject.tryFlatMapError(on:token:_:) as TryStep<Subject, String, Throwing, Throwing>
  _ = Subject.mapResult(on:token:_:) as Step<Subject, R, PromiseResult<Bool, Int>, Promise<Bool, Int>>
  _ = Subject.flatMapResult(on:token:_:) as Step<Subject, R, Promise<Bool, Int>, Promise<Bool, Int>>
  _ = Subject.tryMapResult(on:token:_:) as TryStep<Subject, R, PromiseResult<Bool, Fault>, ThrowingBool>
  _ = Subject.tryFlatMapResult(on:token:_:) as TryStep<Subject, R, Promise<Bool, Fault>, ThrowingBool>
  _ = Subject.tryMapResult(on:token:_:) as TryStep<Subject, R, PromiseResult<Bool, any Error>, ThrowingBool>
  _ = Subject.tryFlatMapResult(on:token:_:) as TryStep<Subject, R, ThrowingBool, ThrowingBool>
  _ = Subject.makeChild
  _ = Subject.fork(_:)
  _ = Throwing.tryThen(on:token:_:)
  _ = Throwing.tryMap(on:token:_:) as TryStep<Throwing, Int, Bool, ThrowingBool>
  _ = Throwing.tryFlatMap(on:token:_:) as TryStep<Throwing, Int, ThrowingBool, ThrowingBool>
  _ = Throwing.tryFlatMap(on:token:_:) as TryStep<Throwing, Int, Promise<Bool, Fault>, ThrowingBool>
  _ = Throwing.tryRecover(on:token:_:)
  _ = Throwing.Resolver.resolve(with:) as (Throwing.Resolver) -> (PromiseResult<Int, Fault>) -> Void
  _ = Throwing.Resolver.resolve(with:) as (Throwing.Resolver) -> (Result<Int, any Error>) -> Void
  _ = Throwing.timeout(on:delay:) as (Throwing) -> (PromiseContext, Double) -> Throwing
  _ = Subject.init(on:fulfilled:after:) as (PromiseContext, Int, Double) -> Subject
  _ = Subject.init(on:rejected:after:) as (PromiseContext, String, Double) -> Subject
  _ = Subject.init(on:with:after:) as (PromiseContext, R, Double) -> Subject
  _ = Subject.delay(on:_:) as (Subject) -> (PromiseContext, Double) -> Subject
  _ = Subject.init(on:_:) as (PromiseContext, @escaping @Sendable (Subject.Resolver) -> Void) -> Subject
  _ = Throwing.init(on:_:) as (PromiseContext, @escaping @Sendable (Throwing.Resolver) throws -> Void) -> Throwing
  _ = PromiseOperation<Int, String>.init(on:_:)
  _ = PromiseOperation<Int, String>.cancel
  // Results.
  _ = R.map(_:) as (R) -> ((Int) throws -> Bool) throws -> PromiseResult<Bool, String>
  _ = R.mapError(_:) as (R) -> ((String) throws -> Bool) throws -> PromiseResult<Int, Bool>
  _ = R.flatMap(_:) as (R) -> ((Int) throws -> PromiseResult<Bool, String>) throws -> PromiseResult<Bool, String>
  _ = R.flatMapError(_:) as (R) -> ((String) throws -> PromiseResult<Int, Bool>) throws -> PromiseResult<Int, Bool>
  _ = PromiseResult<Int, any Error>.init(_:) as (Result<Int, any Error>) -> PromiseResult<Int, any Error>
  _ = Throwing.init(with:) as (Result<Int, any Error>) -> Throwing
  // Tokens.
  _ = PromiseInvalidationToken.requestCancelOnInvalidate(_:) as (PromiseInvalidationToken) -> (Subject) -> Void
  _ = Bound.map(on:_:) as BoundStep<Bound, Int, Bool, TokenPromise<Bool, String>>
  _ = Bound.flatMap(on:_:) as BoundStep<Bound, Int, Promise<Bool, String>, TokenPromise<Bool, String>>
  _ = Bound.recover(on:_:)
  _ = Bound.mapError(on:_:) as BoundStep<Bound, String, Bool, TokenPromise<Int, Bool>>
  _ = Bound.flatMapError(on:_:) as BoundStep<Bound, String, Promise<Int, Bool>, TokenPromise<Int, Bool>>
  _ = Bound.tryMapError(on:_:) as BoundTryStep<Bound, String, Fault, BoundThrowing>
  _ = Bound.tryMapError(on:_:) as BoundTryStep<Bound, String, any Error, BoundThrowing>
  _ = Bound.tryFlatMapError(on:_:) as BoundTryStep<Bound, String, Promise<Int, Fault>, BoundThrowing>
  _ = Bound.tryFlatMapError(on:_:) as BoundTryStep<Bound, String, Throwing, BoundThrowing>
  _ = Bound.mapResult(on:onComplete:) as BoundStep<Bound, R, PromiseResult<Bool, Int>, TokenPromise<Bool, Int>>
  _ = Bound.flatMapResult(on:_:) as BoundStep<Bound, R, Promise<Bool, Int>, TokenPromise<Bool, Int>>
  _ = Bound.tryMapResult(on:_:) as BoundTryStep<Bound, R, PromiseResult<Bool, Fault>, BoundBool>
  _ = Bound.tryMapResult(on:_:) as BoundTryStep<Bound, R, PromiseResult<Bool, any Error>, BoundBool>
  _ = Bound.tryFlatMapResult(on:_:) as BoundTryStep<Bound, R, Promise<Bool, Fault>, BoundBool>
  _ = Bound.tryFlatMapResult(on:_:) as BoundTryStep<Bound, R, ThrowingBool, BoundBool>
  _ = Bound.tap(on:_:)
  _ = Bound.tap as (Bound) -> () -> Bound
  _ = Bound.onCancel(on:_:)
  _ = Bound.fork(_:)
  _ = Bound.requestCancelOnInvalidate(_:)
  _ = BoundThrowing.tryThen(on:_:)
  _ = BoundThrowing.tryMap(on:_:) as BoundTryStep<BoundThrowing, Int, Bool, BoundBool>
  _ = BoundThrowing.tryFlatMap(on:_:) as BoundTryStep<BoundThrowing, Int, ThrowingBool, BoundBool>
  _ = BoundThrowing.tryFlatMap(on:_:) as BoundTryStep<BoundThrowing, Int, Promise<Bool, Fault>, BoundBool>
  _ = BoundThrowing.tryRecover(on:_:)
  _ = BoundThrowing.tryFlatMapError(on:_:) as BoundTryStep<BoundThrowing, any Error, Throwing, BoundThrowing>
  // Combinators of several types.
  typealias P = Subject
  typealias QoS = DispatchQoS.QoSClass
  _ = when(fulfilled:_:qos:cancelOnFailure:) as (P, P, QoS, Bool) -> Promise<(Int, Int), String>
  _ = when(fulfilled:_:_:qos:cancelOnFailure:) as (P, P, P, QoS, Bool) -> Promise<(Int, Int, Int), String>
  _ = when(fulfilled:_:_:_:qos:cancelOnFailure:) as (P, P, P, P, QoS, Bool) -> Promise<(Int, Int, Int, Int), String>
  _ =
    when(fulfilled:_:_:_:_:qos:cancelOnFailure:)
    as (P, P, P, P, P, QoS, Bool) -> Promise<(Int, Int, Int, Int, Int), String>
  _ =
    when(fulfilled:_:_:_:_:_:qos:cancelOnFailure:)
    as (P, P, P, P, P, P, QoS, Bool) -> Promise<(Int, Int, Int, Int, Int, Int), String>
}
