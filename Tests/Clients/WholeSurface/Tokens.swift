import Overmorrow

/// Every step with a token.
func withToken(_ promise: Promise<Int, LoadError>, token: PromiseInvalidationToken) {
  promise.withToken(token)
    .then(on: .main, token: token) { print($0) }
    .catch(on: .main) { print($0) }
    .always(on: .main) { print($0) }
    .tap(on: .main) { print($0) }
    .onCancel(on: .main) { print("cancelled") }
    .fork { print($0.inner, $0.tokens) }
    .map(on: .utility) { $0 + 1 }
    .flatMap(on: .utility) { Promise(fulfilled: "\($0)") }
    .mapError(on: .immediate) { "\($0)" }
    .flatMapError(on: .immediate) { Promise<String, Bool>(rejected: $0.isEmpty) }
    .mapResult(on: .immediate) { $0.map { $0.count } }
    .flatMapResult(on: .immediate) { Promise<Int, Bool>(with: $0) }
    .recover(on: .immediate) { $0 ? 1 : 0 }
    .upcast
    .catch { print($0) }
  promise.withToken(token)
    .then { print($0) }
    .catch { print($0) }
    .always { print($0) }
    .tap { print($0) }
    .onCancel { print("cancelled") }
    .map { $0 + 1 }
    .flatMap { Promise(fulfilled: "\($0)") }
    .mapError { "\($0)" }
    .flatMapError { Promise<String, Bool>(rejected: $0.isEmpty) }
    .mapResult { $0.map { $0.count } }
    .flatMapResult { Promise<Int, Bool>(with: $0) }
    .recover { $0 ? 1 : 0 }
    .then { print($0) }
}

/// The same, with callbacks that throw.
func throwing(_ promise: Promise<Int, LoadError>, token: PromiseInvalidationToken) {
  promise.withToken(token)
    .then(on: .main) { value throws(LoadError) in
      if value > 3 { throw .stale(value) }
    }
    .map(on: .main) { value throws(LoadError) in
      if value > 3 { throw .stale(value) }
      return "\(value)"
    }
    .flatMap(on: .main) { value throws(LoadError) in
      if value.isEmpty { throw .offline }
      return Promise(fulfilled: value)
    }
    .recover(on: .main) { (error) throws(LoadError) -> String in throw error }
    .catch { print($0) }
}
