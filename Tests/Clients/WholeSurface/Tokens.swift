import Overmorrow

/// Every step with tokens; those that may throw do.
func withToken(_ promise: Promise<Int, LoadError>, token: PromiseInvalidationToken) {
  promise.withToken(token)
    .then(on: .main, token: token) { value throws(LoadError) in
      if value > 3 { throw .stale(value) }
    }
    .catch(on: .main) { print($0) }
    .always(on: .main) { print($0) }
    .tap(on: .main) { print($0) }
    .onCancel(on: .main) { print("cancelled") }
    .fork { print($0.inner, $0.tokens) }
    .map(on: .utility) { value throws(LoadError) in
      if value > 3 { throw .stale(value) }
      return "\(value)"
    }
    .flatMap(on: .utility) { value throws(LoadError) in
      if value.isEmpty { throw .offline }
      return Promise(fulfilled: value)
    }
    .recover(on: .immediate) { (error) throws(LoadError) -> String in throw error }
    .mapError(on: .immediate) { "\($0)" }
    .flatMapError(on: .immediate) { Promise<String, Bool>(rejected: $0.isEmpty) }
    .mapResult(on: .immediate) { $0.map { $0.count } }
    .flatMapResult(on: .immediate) { Promise<Int, Bool>(with: $0) }
    .recover(on: .immediate) { $0 ? 1 : 0 }
    .upcast
    .then(on: .main) { print($0) }
}
