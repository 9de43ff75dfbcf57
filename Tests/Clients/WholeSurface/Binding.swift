import Overmorrow

/// An owner of chains.
nonisolated final class Cellar: Sendable {
  let name = "cellar"
}

/// Every step of a chain that is bound to an owner.
func bound(_ promise: Promise<Int, LoadError>, to cellar: Cellar, token: PromiseInvalidationToken) {
  let chain = promise.bound(to: cellar, defaultContext: .utility)
  chain
    .then(on: .utility, token: token) { _, value in print(value) }
    .catch(on: .utility) { _, error in print(error) }
    .always(on: .utility) { _, result in print(result) }
    .tap(on: .utility) { _, result in print(result) }
    .onCancel(on: .utility) { _ in print("cancelled") }
    .map(on: .utility) { _, value in value + 1 }
    .flatMap(on: .utility) { _, value in Promise(fulfilled: "\(value)") }
    .mapError(on: .utility) { _, error in "\(error)" }
    .flatMapError(on: .utility) { _, error in Promise<String, Bool>(rejected: error.isEmpty) }
    .mapResult(on: .utility) { _, result in result.map { $0.count } }
    .flatMapResult(on: .utility) { _, result in Promise<Int, Bool>(with: result) }
    .recover(on: .utility) { _, error in error ? 1 : 0 }
    .upcast
    .catch { _, error in print(error) }
  chain
    .then(token: token) { _, value in print(value) }
    .catch { _, error in print(error) }
    .always { _, result in print(result) }
    .tap { _, result in print(result) }
    .onCancel { _ in print("cancelled") }
    .map { _, value in value + 1 }
    .flatMap { _, value in Promise(fulfilled: "\(value)") }
    .mapError { _, error in "\(error)" }
    .flatMapError { _, error in Promise<String, Bool>(rejected: error.isEmpty) }
    .mapResult { _, result in result.map { $0.count } }
    .flatMapResult { _, result in Promise<Int, Bool>(with: result) }
    .recover { _, error in error ? 1 : 0 }
    .then { _, value in print(value) }
  print(chain.fork { print($0.inner) }.defaultContext, chain.owner === cellar)
}

/// The same, with callbacks that throw.
func throwing(_ promise: Promise<Int, LoadError>, boundTo cellar: Cellar) {
  promise.bound(to: cellar)
    .then(on: .utility) { (_, value) throws(LoadError) in
      if value > 3 { throw .stale(value) }
    }
    .map { (_, value) throws(LoadError) in
      if value > 3 { throw .stale(value) }
      return "\(value)"
    }
    .flatMap(on: .utility) { (_, value) throws(LoadError) in
      if value.isEmpty { throw .offline }
      return Promise(fulfilled: value)
    }
    .recover(nowIfResolved: true) { (_, error) throws(LoadError) -> String in throw error }
    .upcast
    .catch { _, error in
      if case PromiseError.ownerDeallocated = error { print(PromiseError.ownerDeallocated.description) }
    }
}

/// A main-actor class whose state closures use without annotations.
@MainActor final class Shelf {
  private var bottles = 0

  func fill(_ promise: Promise<Int, any Error>) {
    promise.bound(to: self).map { shelf, value in shelf.bottles + value }.then { shelf, value in shelf.bottles = value }
  }
}
