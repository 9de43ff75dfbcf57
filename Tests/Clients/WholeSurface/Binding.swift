import Overmorrow

/// What chains belong to.
nonisolated final class Cellar: Sendable {
  let name = "cellar"
}

/// Every step of a chain with an owner; those that may throw do.
func bound(_ promise: Promise<Int, LoadError>, to cellar: Cellar, token: PromiseInvalidationToken) {
  let chain = promise.bound(to: cellar, defaultContext: .utility)
  chain
    .then(on: .utility, token: token) { (_, value) throws(LoadError) in
      if value > 3 { throw .stale(value) }
    }
    .catch(on: .utility) { _, error in print(error) }
    .always(on: .utility) { _, result in print(result) }
    .tap(on: .utility) { _, result in print(result) }
    .onCancel(on: .utility) { _ in print("cancelled") }
    .map(on: .utility) { (_, value) throws(LoadError) in
      if value > 3 { throw .stale(value) }
      return "\(value)"
    }
    .flatMap(on: .utility) { (_, value) throws(LoadError) in
      if value.isEmpty { throw .offline }
      return Promise(fulfilled: value)
    }
    .recover(on: .utility) { (_, error) throws(LoadError) -> String in throw error }
    .mapError(on: .utility) { _, error in "\(error)" }
    .flatMapError(on: .utility) { _, error in Promise<String, Bool>(rejected: error.isEmpty) }
    .mapResult(on: .utility) { _, result in result.map { $0.count } }
    .flatMapResult(on: .utility) { _, result in Promise<Int, Bool>(with: result) }
    .recover(nowIfResolved: true) { _, error in error ? 1 : 0 }
    .upcast
    .catch { _, error in
      if case PromiseError.ownerDeallocated = error { print(PromiseError.ownerDeallocated.description) }
    }
  print(chain.fork { print($0.inner) }.defaultContext, chain.owner === cellar)
}
