import Dispatch
import Overmorrow

/// What only its actor may touch.
nonisolated final class History {
  var entries: [String] = []
}

/// Callbacks of a main-actor class: no annotation, and they use its state.
@MainActor
final class ProfileView {
  private let history = History()
  private var title = ""

  func observe(_ promise: Promise<Int, String>, token: PromiseInvalidationToken) {
    var seen = 0
    promise
      .then { self.title = "\($0)" }
      .catch { self.history.entries.append($0) }
      .always { self.title += $0.isCancelled ? "!" : "" }
      .tap { _ in seen += 1 }
      .onCancel { self.title = "" }
    promise.then(on: .nowOrHere, token: token) { self.title = "\($0) \(seen)" }
    promise.withToken(token)
      .then { self.title = "\($0)" }
      .catch { self.history.entries.append($0) }
      .always { self.title += $0.isCancelled ? "!" : "" }
      .tap { _ in seen += 1 }
      .onCancel(on: .nowOrHere) { self.title = "" }
    seen += 1
  }

  func transform(_ promise: Promise<Int, String>, token: PromiseInvalidationToken) {
    promise
      .map(on: .here) { self.title + "\($0)" }
      .flatMap(on: .here) { Promise(fulfilled: $0 + self.title) }
      .mapError(on: .here) { $0 + self.title }
      .flatMapError(on: .here) { Promise<String, String>(rejected: $0 + self.title) }
      .mapResult(on: .here) { $0.map { $0 + self.title } }
      .flatMapResult(on: .here) { Promise(with: self.title.isEmpty ? $0 : .cancelled) }
      .recover(on: .here) { _ in self.title }
      .then { self.title = $0 }
    promise.withToken(token)
      .map(on: .here) { self.title + "\($0)" }
      .flatMap(on: .here) { Promise(fulfilled: $0 + self.title) }
      .mapError(on: .here) { $0 + self.title }
      .flatMapError(on: .here) { Promise<String, String>(rejected: $0 + self.title) }
      .mapResult(on: .here) { $0.map { $0 + self.title } }
      .flatMapResult(on: .here) { Promise(with: self.title.isEmpty ? $0 : .cancelled) }
      .recover(on: .here) { _ in self.title }
      .then { self.title = $0 }
  }

  func throwing(_ promise: Promise<Int, LoadError>, token: PromiseInvalidationToken) {
    promise
      .then { _ throws(LoadError) in try self.check() }
      .map(on: .here) { value throws(LoadError) in try self.checked(value) }
      .flatMap(on: .here) { value throws(LoadError) in Promise(fulfilled: try self.checked(value)) }
      .mapError(on: .here) { error throws(LoadError) in try self.checked(error) }
      .flatMapError(on: .here) { error throws(LoadError) in Promise(rejected: try self.checked(error)) }
      .mapResult(on: .here) { result throws(LoadError) in try self.checked(result) }
      .flatMapResult(on: .here) { result throws(LoadError) in Promise(with: try self.checked(result)) }
      .recover(on: .here) { _ throws(LoadError) in try self.checked(1) }
      .then { self.title = "\($0)" }
    promise.withToken(token)
      .then { _ throws(LoadError) in try self.check() }
      .map(on: .here) { value throws(LoadError) in try self.checked(value) }
      .flatMap(on: .here) { value throws(LoadError) in Promise(fulfilled: try self.checked(value)) }
      .mapError(on: .here) { error throws(LoadError) in try self.checked(error) }
      .flatMapError(on: .here) { error throws(LoadError) in Promise(rejected: try self.checked(error)) }
      .mapResult(on: .here) { result throws(LoadError) in try self.checked(result) }
      .flatMapResult(on: .here) { result throws(LoadError) in Promise(with: try self.checked(result)) }
      .recover(on: .here) { _ throws(LoadError) in try self.checked(1) }
      .then { self.title = "\($0)" }
  }

  func produce() -> Promise<Int, String> {
    let loaded = Promise<Int, LoadError>(on: .here) { resolver throws(LoadError) in
      try self.check()
      resolver.onRequestCancel(on: .here) { self.cancel($0) }
    }
    loaded.then { self.title = "\($0)" }
    return Promise<Int, String>(on: .nowOrHere) { resolver in self.finish(resolver) }
      .propagatingCancellation(on: .here) { self.title = "\($0)" }
  }

  private func check() throws(LoadError) { if title.isEmpty { throw .offline } }

  private func checked<T>(_ value: T) throws(LoadError) -> T {
    try check()
    return value
  }

  private func finish(_ resolver: Promise<Int, String>.Resolver) { resolver.fulfill(with: title.count) }

  private func cancel(_ resolver: Promise<Int, LoadError>.Resolver) { resolver.cancel() }
}

/// The state of an actor, used by callbacks that are given the actor.
actor Account {
  var balance = 0
  private let history = History()

  func follow(_ promise: Promise<Int, String>) {
    promise.then { self.balance += $0 }
    promise.catch { self.history.entries.append($0) }
    promise.then(on: .actor(MainActor.shared)) { print($0) }
  }
}

func onActor(_ promise: Promise<Int, String>, account: Account, token: PromiseInvalidationToken) {
  promise
    .then(on: account) { account, value in account.balance += value }
    .catch(on: account) { account, _ in account.balance = 0 }
    .always(on: account) { account, _ in account.balance += 1 }
    .tap(on: account, token: token) { account, _ in account.balance += 1 }
    .onCancel(on: account) { account in account.balance = 0 }
    .map(on: account) { account, value in account.balance + value }
    .flatMap(on: account) { account, value in Promise(fulfilled: "\(account.balance + value)") }
    .mapError(on: account) { account, error in error + "\(account.balance)" }
    .flatMapError(on: account) { account, error in Promise<String, String>(rejected: error + "\(account.balance)") }
    .mapResult(on: account) { account, result in result.map { $0 + "\(account.balance)" } }
    .flatMapResult(on: account) { account, result in Promise(with: account.balance > 0 ? result : .cancelled) }
    .recover(on: account) { account, _ in "\(account.balance)" }
    .then(on: .main) { print($0) }
  promise.withToken(token)
    .then(on: account) { account, value in account.balance += value }
    .catch(on: account) { account, _ in account.balance = 0 }
    .always(on: account) { account, _ in account.balance += 1 }
    .tap(on: account) { account, _ in account.balance += 1 }
    .onCancel(on: account) { account in account.balance = 0 }
    .map(on: account) { account, value in account.balance + value }
    .flatMap(on: account) { account, value in Promise(fulfilled: "\(account.balance + value)") }
    .mapError(on: account) { account, error in error + "\(account.balance)" }
    .flatMapError(on: account) { account, error in Promise<String, String>(rejected: error + "\(account.balance)") }
    .mapResult(on: account) { account, result in result.map { $0 + "\(account.balance)" } }
    .flatMapResult(on: account) { account, result in Promise(with: account.balance > 0 ? result : .cancelled) }
    .recover(on: account) { account, _ in "\(account.balance)" }
    .then(on: .main) { print($0) }
}

extension Account {
  func checked<T>(_ value: T) throws(LoadError) -> T {
    if balance == 0 { throw .offline }
    return value
  }
}

func throwingOnActor(_ promise: Promise<Int, LoadError>, account: Account, token: PromiseInvalidationToken) {
  promise
    .then(on: account) { account, value throws(LoadError) in _ = try account.checked(value) }
    .map(on: account) { account, value throws(LoadError) in try account.checked(value) }
    .flatMap(on: account) { account, value throws(LoadError) in Promise(fulfilled: try account.checked(value)) }
    .mapError(on: account) { account, error throws(LoadError) in try account.checked(error) }
    .flatMapError(on: account) { account, error throws(LoadError) in Promise(rejected: try account.checked(error)) }
    .mapResult(on: account) { account, result throws(LoadError) in try account.checked(result) }
    .flatMapResult(on: account) { account, result throws(LoadError) in Promise(with: try account.checked(result)) }
    .recover(on: account) { account, _ throws(LoadError) in try account.checked(1) }
    .catch { print($0) }
  promise.withToken(token)
    .then(on: account) { account, value throws(LoadError) in _ = try account.checked(value) }
    .map(on: account) { account, value throws(LoadError) in try account.checked(value) }
    .flatMap(on: account) { account, value throws(LoadError) in Promise(fulfilled: try account.checked(value)) }
    .mapError(on: account) { account, error throws(LoadError) in try account.checked(error) }
    .flatMapError(on: account) { account, error throws(LoadError) in Promise(rejected: try account.checked(error)) }
    .mapResult(on: account) { account, result throws(LoadError) in try account.checked(result) }
    .flatMapResult(on: account) { account, result throws(LoadError) in Promise(with: try account.checked(result)) }
    .recover(on: account) { account, _ throws(LoadError) in try account.checked(1) }
    .catch { print($0) }
}
