import Dispatch
import Overmorrow

/// Classes in the style of the time before `Sendable`.
class User {
  var name = ""
  var friends: [User] = []
}

class ServiceError: Error {
  var retries = 0
}

class Service {
  var cache: [String: Promise<User, ServiceError>] = [:]
  var requests = 0
  private let queue = DispatchQueue(label: "service")
  private let token = PromiseInvalidationToken()

  func load(_ name: String) -> Promise<User, ServiceError> {
    if let known = cache[name] { return known }
    let promise = Promise<User, ServiceError>(on: .queue(queue)) { resolver in
      self.requests += 1
      let user = User()
      user.name = name
      resolver.onRequestCancel(on: .immediate) { _ in self.requests -= 1 }
      if self.requests > 3 { resolver.reject(with: ServiceError()) } else { resolver.fulfill(with: user) }
    }
    cache[name] = promise
    return promise.makeChild()
  }

  func show(_ name: String, in labels: [Label]) {
    token.invalidate()
    load(name)
      .then(token: token) { user in for label in labels { label.text = user.name } }
      .catch(token: token) { error in error.retries += 1 }
      .always(token: token) { result in self.requests = result.isCancelled ? 0 : self.requests }
      .requestCancelOnInvalidate(token)
  }

  func loadAll(_ names: [String]) -> Promise<[User], ServiceError> {
    when(fulfilled: names.map { load($0) }, cancelOnFailure: true)
      .tap { [weak self] _ in self?.cache = [:] }
      .timeout(.seconds(10))
      .mapError(on: .immediate) { error in
        if case .rejected(let error) = error { return error } else { return ServiceError() }
      }
  }
}

class Label {
  private let token = PromiseInvalidationToken()
  var text = ""
  private lazy var preview = LazyPromise<Label, Never>(on: .main) { [unowned self] in $0.fulfill(with: self) }

  func follow(_ promise: Promise<User, ServiceError>) {
    promise.then { self.text = $0.name }.onCancel { self.text = "" }.requestCancelOnInvalidate(token)
    preview.promise.then { $0.text += "…" }
  }
}
