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
    promise.then(at: .nowOrHere, token: token) { self.title = "\($0) \(seen)" }
    promise.withToken(token)
      .then { self.title = "\($0)" }
      .catch { self.history.entries.append($0) }
      .always { self.title += $0.isCancelled ? "!" : "" }
      .tap { _ in seen += 1 }
      .onCancel(at: .nowOrHere) { self.title = "" }
    seen += 1
  }

  func transform(_ promise: Promise<Int, String>, token: PromiseInvalidationToken) {
    promise
      .map(at: .here) { self.titled($0) }
      .flatMap(at: .here) { Promise(fulfilled: self.titled($0)) }
      .mapError(at: .here) { self.titled($0) }
      .flatMapError(at: .here) { Promise<String, String>(rejected: self.titled($0)) }
      .mapResult(at: .here) { self.title.isEmpty ? $0 : .cancelled }
      .flatMapResult(at: .here) { Promise(with: self.title.isEmpty ? $0 : .cancelled) }
      .recover(at: .here) { _ in self.title }
      .then { self.title = $0 }
    promise.withToken(token)
      .map(at: .here) { self.titled($0) }
      .flatMap(at: .here) { Promise(fulfilled: self.titled($0)) }
      .mapError(at: .here) { self.titled($0) }
      .flatMapError(at: .here) { Promise<String, String>(rejected: self.titled($0)) }
      .mapResult(at: .here) { self.title.isEmpty ? $0 : .cancelled }
      .flatMapResult(at: .here) { Promise(with: self.title.isEmpty ? $0 : .cancelled) }
      .recover(at: .here) { _ in self.title }
      .then { self.title = $0 }
  }

  func throwing(_ promise: Promise<Int, LoadError>, token: PromiseInvalidationToken) {
    promise
      .then { _ throws(LoadError) in try self.check() }
      .map(at: .here) { value throws(LoadError) in try self.checked(value) }
      .flatMap(at: .here) { value throws(LoadError) in Promise(fulfilled: try self.checked(value)) }
      .mapError(at: .here) { error throws(LoadError) in try self.checked(error) }
      .flatMapError(at: .here) { error throws(LoadError) in Promise(rejected: try self.checked(error)) }
      .mapResult(at: .here) { result throws(LoadError) in try self.checked(result) }
      .flatMapResult(at: .here) { result throws(LoadError) in Promise(with: try self.checked(result)) }
      .recover(at: .here) { _ throws(LoadError) in try self.checked(1) }
      .then { self.title = "\($0)" }
    promise.withToken(token)
      .then { _ throws(LoadError) in try self.check() }
      .map(at: .here) { value throws(LoadError) in try self.checked(value) }
      .flatMap(at: .here) { value throws(LoadError) in Promise(fulfilled: try self.checked(value)) }
      .mapError(at: .here) { error throws(LoadError) in try self.checked(error) }
      .flatMapError(at: .here) { error throws(LoadError) in Promise(rejected: try self.checked(error)) }
      .mapResult(at: .here) { result throws(LoadError) in try self.checked(result) }
      .flatMapResult(at: .here) { result throws(LoadError) in Promise(with: try self.checked(result)) }
      .recover(at: .here) { _ throws(LoadError) in try self.checked(1) }
      .then { self.title = "\($0)" }
  }

  func produce() -> Promise<Int, String> {
    let loaded = Promise<Int, LoadError>(at: .here) { resolver throws(LoadError) in
      try self.check()
      resolver.onRequestCancel(at: .here) { self.cancel($0) }
    }
    loaded.then { self.title = "\($0)" }
    return Promise<Int, String>(at: .nowOrHere) { resolver in self.finish(resolver) }
      .propagatingCancellation(at: .here) { self.title = "\($0)" }
  }

  private func titled(_ part: some Any) -> String { "\(title) \(part)" }

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
    .then(onActor: account) { account, value in account.balance += value }
    .catch(onActor: account) { account, _ in account.balance = 0 }
    .always(onActor: account) { account, _ in account.balance += 1 }
    .tap(onActor: account, token: token) { account, _ in account.balance += 1 }
    .onCancel(onActor: account) { account in account.balance = 0 }
    .map(onActor: account) { account, _ in account.balance }
    .flatMap(onActor: account) { account, value in Promise(fulfilled: account.name(value)) }
    .mapError(onActor: account) { account, error in account.name(error) }
    .flatMapError(onActor: account) { account, error in Promise<String, String>(rejected: account.name(error)) }
    .mapResult(onActor: account) { account, result in account.passed(result) }
    .flatMapResult(onActor: account) { account, result in Promise(with: account.passed(result)) }
    .recover(onActor: account) { account, error in account.name(error) }
    .then(on: .main) { print($0) }
  promise.withToken(token)
    .then(onActor: account) { account, value in account.balance += value }
    .catch(onActor: account) { account, _ in account.balance = 0 }
    .always(onActor: account) { account, _ in account.balance += 1 }
    .tap(onActor: account) { account, _ in account.balance += 1 }
    .onCancel(onActor: account) { account in account.balance = 0 }
    .map(onActor: account) { account, _ in account.balance }
    .flatMap(onActor: account) { account, value in Promise(fulfilled: account.name(value)) }
    .mapError(onActor: account) { account, error in account.name(error) }
    .flatMapError(onActor: account) { account, error in Promise<String, String>(rejected: account.name(error)) }
    .mapResult(onActor: account) { account, result in account.passed(result) }
    .flatMapResult(onActor: account) { account, result in Promise(with: account.passed(result)) }
    .recover(onActor: account) { account, error in account.name(error) }
    .then(on: .main) { print($0) }
}

extension Account {
  func passed<T>(_ result: T) -> T {
    balance += 1
    return result
  }

  func name(_ part: some Any) -> String { "\(part) of \(balance)" }

  func checked<T>(_ value: T) throws(LoadError) -> T {
    if balance == 0 { throw .offline }
    return value
  }
}

func throwingOnActor(_ promise: Promise<Int, LoadError>, account: Account, token: PromiseInvalidationToken) {
  promise
    .then(onActor: account) { account, value throws(LoadError) in _ = try account.checked(value) }
    .map(onActor: account) { account, value throws(LoadError) in try account.checked(value) }
    .flatMap(onActor: account) { account, value throws(LoadError) in Promise(fulfilled: try account.checked(value)) }
    .mapError(onActor: account) { account, error throws(LoadError) in try account.checked(error) }
    .flatMapError(onActor: account) { account, error throws(LoadError) in Promise(rejected: try account.checked(error))
    }
    .mapResult(onActor: account) { account, result throws(LoadError) in try account.checked(result) }
    .flatMapResult(onActor: account) { account, result throws(LoadError) in Promise(with: try account.checked(result)) }
    .recover(onActor: account) { account, _ throws(LoadError) in try account.checked(1) }
    .catch { print($0) }
  promise.withToken(token)
    .then(onActor: account) { account, value throws(LoadError) in _ = try account.checked(value) }
    .map(onActor: account) { account, value throws(LoadError) in try account.checked(value) }
    .flatMap(onActor: account) { account, value throws(LoadError) in Promise(fulfilled: try account.checked(value)) }
    .mapError(onActor: account) { account, error throws(LoadError) in try account.checked(error) }
    .flatMapError(onActor: account) { account, error throws(LoadError) in Promise(rejected: try account.checked(error))
    }
    .mapResult(onActor: account) { account, result throws(LoadError) in try account.checked(result) }
    .flatMapResult(onActor: account) { account, result throws(LoadError) in Promise(with: try account.checked(result)) }
    .recover(onActor: account) { account, _ throws(LoadError) in try account.checked(1) }
    .catch { print($0) }
}
