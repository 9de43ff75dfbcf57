import Dispatch
import Overmorrow

/// State that only its actor may access.
nonisolated final class History {
  var entries: [String] = []
}

/// Callbacks in a main-actor class use its state without annotations.
@MainActor
final class ProfileView {
  private let history = History()
  private var title = ""

  func observe(_ promise: Promise<Int, LoadError>, token: PromiseInvalidationToken) {
    var seen = 0
    promise
      .then { self.title = "\($0)" }
      .catch { self.history.entries.append("\($0)") }
      .always { self.title += $0.isCancelled ? "!" : "" }
      .tap { _ in seen += 1 }
      .onCancel { self.title = "" }
    promise.then(nowIfResolved: true, token: token) { self.title = "\($0) \(seen)" }
    promise.bound(to: self)
      .then { view, value in view.title = "\(value)" }
      .catch { view, error in view.history.entries.append("\(error)") }
      .always { view, result in view.title += result.isCancelled ? "!" : "" }
      .tap { _, _ in seen += 1 }
      .onCancel(nowIfResolved: true) { view in view.title = "" }
    seen += 1
  }

  func transform(_ promise: Promise<Int, LoadError>) {
    promise
      .map { self.titled($0) }
      .flatMap { Promise(fulfilled: self.titled($0)) }
      .mapError { self.titled($0) }
      .flatMapError { Promise<String, String>(rejected: self.titled($0)) }
      .mapResult { self.title.isEmpty ? $0 : .cancelled }
      .flatMapResult { Promise(with: self.title.isEmpty ? $0 : .cancelled) }
      .recover { _ in self.title }
      .then { self.title = $0 }
    promise.bound(to: self)
      .map { view, value in view.titled(value) }
      .flatMap { view, text in Promise(fulfilled: view.titled(text)) }
      .mapError { view, error in view.titled(error) }
      .flatMapError { view, text in Promise<String, String>(rejected: view.titled(text)) }
      .mapResult { view, result in view.title.isEmpty ? result : .cancelled }
      .flatMapResult { view, result in Promise(with: view.title.isEmpty ? result : .cancelled) }
      .recover { view, _ in view.title }
      .then { view, text in view.title = text }
  }

  func throwing(_ promise: Promise<Int, LoadError>) {
    promise
      .then { _ throws(LoadError) in try self.check() }
      .map { value throws(LoadError) in try self.checked(value) }
      .flatMap { value throws(LoadError) in Promise(fulfilled: try self.checked(value)) }
      .recover { _ throws(LoadError) in try self.checked(1) }
      .always { self.title = "\($0)" }
    promise.bound(to: self)
      .then { view, _ throws(LoadError) in try view.check() }
      .map { view, value throws(LoadError) in try view.checked(value) }
      .flatMap { view, value throws(LoadError) in Promise(fulfilled: try view.checked(value)) }
      .recover { view, _ throws(LoadError) in try view.checked(1) }
      .always { view, result in view.title = "\(result)" }
  }

  func produce(_ promise: Promise<Int, String>, _ resolver: Promise<Int, String>.Resolver) -> Promise<Int, String> {
    resolver.onRequestCancel { _ in self.title = "" }
    return promise.propagatingCancellation { self.title = "\($0)" }
  }

  private func titled(_ part: some Any) -> String { "\(title) \(part)" }

  private func check() throws(LoadError) { if title.isEmpty { throw .offline } }

  private func checked<T>(_ value: T) throws(LoadError) -> T {
    try check()
    return value
  }
}

/// Closures inside an actor use its state directly.
actor Account {
  var balance = 0
  private let history = History()

  func follow(_ promise: Promise<Int, LoadError>) {
    promise
      .then { self.balance += $0 }
      .catch { self.history.entries.append("\($0)") }
      .map { self.balance + $0 }
      .flatMap { Promise(fulfilled: self.name($0)) }
      .then(nowIfResolved: true) { self.history.entries.append($0) }
    promise.then(on: .actor(MainActor.shared)) { print($0) }
  }

  func name(_ part: some Any) -> String { "\(part) of \(balance)" }

  func draw(_ sum: Int) throws(LoadError) -> Int {
    if sum > balance { throw .stale(sum) }
    balance -= sum
    return balance
  }
}

/// Closures outside an actor that run on it and use its state.
func onActor(_ promise: Promise<Int, LoadError>, account: Account) {
  promise
    .map(on: .actor(account)) { value in account.assumeIsolated { $0.name(value) } }
    .then(on: .actor(account)) { text in account.assumeIsolated { account in account.balance += text.count } }
  promise
    .upcast
    .flatMap { sum in Promise { try await account.draw(sum) } }
    .then { print($0) }
}
