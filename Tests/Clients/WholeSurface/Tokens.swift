import Overmorrow

/// Every step with a token.
func tokens(_ promise: Promise<Int, LoadError>, token: PromiseInvalidationToken) {
  promise
    .then(on: .main, token: token) { print($0) }
    .catch(on: .main, token: token) { print($0) }
    .always(on: .main, token: token) { print($0) }
    .tap(on: .main, token: token) { print($0) }
    .onCancel(on: .main, token: token) { print("cancelled") }
    .map(on: .utility, token: token) { $0 + 1 }
    .flatMap(on: .utility, token: token) { Promise(fulfilled: "\($0)") }
    .mapError(on: .immediate, token: token) { "\($0)" }
    .flatMapError(on: .immediate, token: token) { Promise<String, Bool>(rejected: $0.isEmpty) }
    .mapResult(on: .immediate, token: token) { $0.map { $0.count } }
    .flatMapResult(on: .immediate, token: token) { Promise<Int, Bool>(with: $0) }
    .recover(on: .immediate, token: token) { $0 ? 1 : 0 }
    .then(on: .main, token: token) { print($0) }
  promise
    .then(token: token) { print($0) }
    .catch(token: token) { print($0) }
    .always(token: token) { print($0) }
    .tap(token: token) { print($0) }
    .onCancel(token: token) { print("cancelled") }
    .map(token: token) { $0 + 1 }
    .flatMap(token: token) { Promise(fulfilled: "\($0)") }
    .mapError(token: token) { "\($0)" }
    .flatMapError(token: token) { Promise<String, Bool>(rejected: $0.isEmpty) }
    .mapResult(token: token) { $0.map { $0.count } }
    .flatMapResult(token: token) { Promise<Int, Bool>(with: $0) }
    .recover(token: token) { $0 ? 1 : 0 }
    .then(token: token) { print($0) }
}
