import Overmorrow

/// An owner whose end cancels what it has started, and a token for what it shows.
@MainActor
final class Thumbnail: PromiseOwner {
  nonisolated let promiseLifetime = PromiseLifetime()
  private let token = PromiseInvalidationToken()
  private var loads: [String: Promise<Int, String>] = [:]
  private var cancellable: PromiseCancellable?

  func show(_ promise: Promise<Int, String>) {
    token.invalidate()
    promise.then(on: .main, token: token) { print($0) }.requestCancelOnDeinit(self)
    promise.requestCancelOnInvalidate(token)
    cancellable = promise.cancellable
  }

  func hide() {
    cancellable?.requestCancel()
    token.cancelWithoutInvalidating()
  }

  func share(_ name: String, _ promise: Promise<Int, String>) -> Promise<Int, String> {
    let load = promise.propagatingCancellation(on: .main) { promise in
      Task { @MainActor in self.forget(name, promise) }
    }
    loads[name] = load
    return load.makeChild()
  }

  private func forget(_ name: String, _ promise: Promise<Int, String>) {
    if loads[name] == promise { loads[name] = nil }
  }
}

func cancelling(_ promise: Promise<Int, String>, owner: any PromiseOwner) throws {
  print(owner.promiseLifetime)
  #if canImport(ObjectiveC)
    promise.requestCancelOnDeinit(owner as AnyObject)
  #endif
  promise.fork { $0.then { print($0) } }.ignoringCancel().requestCancel()
  try promise.fork { (child) throws(LoadError) in
    if child.result == nil { throw .offline }
  }

  let (token, other) = (PromiseInvalidationToken(invalidateOnDeinit: false), PromiseInvalidationToken())
  token.chainInvalidation(from: other, includingCancelWithoutInvalidating: false)
  token.requestCancelOnInvalidate(promise)
  print(token == other, Set([token]).count, token.description, token.debugDescription)
}

/// Every step with one token.
func withToken(_ promise: Promise<Int, String>, token: PromiseInvalidationToken) throws {
  promise.withToken(token)
    .then(on: .main) { print($0) }
    .catch(on: .main) { print($0) }
    .always(on: .main) { print($0) }
    .tap(on: .main) { print($0) }
    .onCancel(on: .main) { print("cancelled") }
    .requestCancelOnInvalidate(token)
    .fork { print($0.inner, $0.token) }
    .tap()
    .ignoringCancel()
    .requestCancel()
  TokenPromise(promise: promise, token: token)
    .map(on: .utility) { $0 + 1 }
    .flatMap(on: .utility) { Promise(fulfilled: "\($0)") }
    .mapError(on: .immediate) { $0.count }
    .flatMapError(on: .immediate) { Promise<String, Bool>(rejected: $0 > 3) }
    .mapResult(on: .immediate) { $0.map { $0.count } }
    .flatMapResult(on: .immediate) { Promise<Int, Bool>(with: $0) }
    .recover(on: .immediate) { $0 ? 1 : 0 }
    .upcast
    .catch { print($0) }
}

/// The same, with callbacks that throw.
func withToken(_ promise: Promise<Int, LoadError>, token: PromiseInvalidationToken) {
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
    .mapError(on: .main) { (error) throws(LoadError) -> LoadError in throw error }
    .flatMapError(on: .main) { (error) throws(LoadError) -> Promise<String, LoadError> in throw error }
    .mapResult(on: .main) { (result) throws(LoadError) -> PromiseResult<String, LoadError> in
      guard let value = result.value else { throw .offline }
      return .value(value)
    }
    .flatMapResult(on: .main) { (result) throws(LoadError) -> Promise<String, LoadError> in
      guard let value = result.value else { throw .offline }
      return Promise(fulfilled: value)
    }
    .recover(on: .main) { (error) throws(LoadError) in throw error }
    .catch { print($0) }
}
