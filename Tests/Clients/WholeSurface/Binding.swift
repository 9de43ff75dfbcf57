import Overmorrow

/// What chains belong to.
nonisolated final class Cellar: PromiseOwner, Sendable {
  let promiseLifetime = PromiseLifetime()
}

/// Chains bound to an owner.
func bound(_ promise: Promise<Int, String>, to cellar: Cellar, token: PromiseInvalidationToken) {
  let chain = promise.bound(to: cellar, defaultContext: .utility)
  chain.then(on: .utility) { _, value in print(value) }
  chain.catch(on: .utility) { _, error in print(error) }
  chain.always(on: .utility) { _, result in print(result) }
  chain.tap(on: .utility) { _, result in print(result) }
  chain.onCancel(on: .utility) { _ in print("cancelled") }
  _ = chain.map(on: .utility) { _, value in value + 1 }
  _ = chain.flatMap(on: .utility) { _, value in Promise(fulfilled: value + 1) }
  _ = chain.mapError(on: .utility) { _, error in error.count }
  _ = chain.flatMapError(on: .utility) { _, error in Promise<Int, Bool>(rejected: error.isEmpty) }
  _ = chain.mapResult(on: .utility) { _, result in result }
  _ = chain.flatMapResult(on: .utility) { _, result in Promise(with: result) }
  _ = chain.recover(on: .utility) { _, error in error.count }
  chain.then { _, value in print(value) }
  chain.catch { _, error in print(error) }
  chain.always { _, result in print(result) }
  chain.tap { _, result in print(result) }
  chain.onCancel { _ in print("cancelled") }
  _ = chain.map { _, value in value + 1 }
  _ = chain.flatMap { _, value in Promise(fulfilled: value + 1) }
  _ = chain.mapError { _, error in error.count }
  _ = chain.flatMapError { _, error in Promise<Int, Bool>(rejected: error.isEmpty) }
  _ = chain.mapResult { _, result in result }
  _ = chain.flatMapResult { _, result in Promise(with: result) }
  _ = chain.recover { _, error in error.count }
  chain.requestCancelOnInvalidate(token).requestCancelOnDeinit().ignoringCancel().fork { print($0.inner) }
    .requestCancel()
  print(chain.defaultContext, chain.owner === cellar)
}

/// The same, with callbacks that throw.
func throwing(_ promise: Promise<Int, LoadError>, boundTo cellar: Cellar) {
  let chain = promise.bound(to: cellar)
  chain.then(on: .utility) { (_, value) throws(LoadError) in if value > 3 { throw .stale(value) } }
  _ = chain.map(on: .utility) { (_, value) throws(LoadError) -> Int in
    if value > 3 { throw .stale(value) } else { return value }
  }
  _ = chain.flatMap(on: .utility) { (_, _) throws(LoadError) -> Promise<Int, LoadError> in throw .offline }
  _ = chain.mapError(on: .utility) { (_, error) throws(LoadError) -> LoadError in throw error }
  _ = chain.flatMapError(on: .utility) { (_, error) throws(LoadError) -> Promise<Int, LoadError> in throw error }
  _ = chain.recover(on: .utility) { (_, error) throws(LoadError) -> Int in throw error }
  _ = chain.mapResult(on: .utility) { (_, _) throws(LoadError) -> PromiseResult<Int, LoadError> in throw .offline }
  _ = chain.flatMapResult(on: .utility) { (_, _) throws(LoadError) -> Promise<Int, LoadError> in throw .offline }
  chain.then(at: .nowOrHere) { (_, value) throws(LoadError) in if value > 3 { throw .stale(value) } }
  _ = chain.map(at: .nowOrHere) { (_, value) throws(LoadError) -> Int in
    if value > 3 { throw .stale(value) } else { return value }
  }
  _ = chain.flatMap(at: .nowOrHere) { (_, _) throws(LoadError) -> Promise<Int, LoadError> in throw .offline }
  _ = chain.mapError(at: .nowOrHere) { (_, error) throws(LoadError) -> LoadError in throw error }
  _ = chain.flatMapError(at: .nowOrHere) { (_, error) throws(LoadError) -> Promise<Int, LoadError> in throw error }
  _ = chain.recover(at: .nowOrHere) { (_, error) throws(LoadError) -> Int in throw error }
  _ = chain.mapResult(at: .nowOrHere) { (_, _) throws(LoadError) -> PromiseResult<Int, LoadError> in throw .offline }
  _ = chain.flatMapResult(at: .nowOrHere) { (_, _) throws(LoadError) -> Promise<Int, LoadError> in throw .offline }
  chain.upcast.catch { _, error in
    if case PromiseOwnerError.contextDeallocated = error { print(PromiseOwnerError.contextDeallocated.description) }
  }
}

/// A class of the main actor, whose state is used without annotations.
@MainActor final class Shelf {
  private var bottles = 0

  func fill(_ promise: Promise<Int, any Error>) {
    promise.bound(to: self).map { shelf, value in shelf.bottles + value }.then { shelf, value in shelf.bottles = value }
  }
}
