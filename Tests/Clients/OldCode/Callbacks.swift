import Overmorrow

/// Values and errors of `Any`, closures and other types that no compiler can check.
func anything(_ user: User, _ handler: @escaping (User) -> Int) {
  let any = Promise<Any, Error>(fulfilled: user)
  any.map(on: .main) { $0 as? User }.then { $0?.name = "" }
  any.flatMap(on: .main) { Promise<AnyObject, Error>(fulfilled: $0 as AnyObject) }.catch { print($0) }
  let closure = Promise<(User) -> Int, ServiceError>(fulfilled: handler)
  closure.map(on: .main) { $0(user) }.then { print($0) }
  let both = Promise<Int, Any>(rejected: "no").recover(on: .main) { _ in handler(user) }
  when(fulfilled: any, Promise<() -> Void, Error>(fulfilled: {})).then { _, action in action() }
  when(first: [both, Promise(fulfilled: 1)]).delay(.seconds(1)).then { user.name = "\($0)" }
}

/// The callbacks of an old interface.
func bridge(_ start: (@escaping (User?, Error?) -> Void) -> Void) -> Promise<User, Error> {
  let (promise, resolver) = Promise<User, Error>.makeWithResolver()
  start { user, error in
    if let user = user { resolver.fulfill(with: user) } else { resolver.reject(with: error ?? ServiceError()) }
  }
  start(resolver.completionHandler())
  return promise
}

/// Code for which a warning is right: a callback that is not `@Sendable`, or cannot be.
func warned(_ promise: Promise<Int, Error>, then handler: @escaping (Int) -> Void) {
  var sum = 0
  promise.then(on: .utility) { sum += $0 }  // warning: mutation of captured var 'sum' in concurrently-executing code
  promise.then(on: .utility, handler)  // warning: passing non-Sendable parameter 'handler' to function
  let report: (Error) -> Void = { print($0) }
  promise.catch(on: .main, report)  // warning: converting non-Sendable function value to '@Sendable
  var last: User?
  promise.always { result in
    if result.isCancelled { last = nil }  // warning: mutation of captured var 'last' in concurrently-executing code
  }
  print(sum, last as Any)

  // The remedy: calling the handler from a closure works as it always has.
  promise.then(on: .utility) { handler($0) }.catch(on: .main) { report($0) }
}
