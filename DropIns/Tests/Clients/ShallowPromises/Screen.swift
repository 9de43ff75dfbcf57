// Code as users of ShallowPromises write it. In every language mode, the compiler must report exactly the diagnostics
// that the comments announce.
import Dispatch
import Foundation
import ShallowPromises

class Model {
  var number = 0
}

class Request<T>: Promise<T> {
  var name = ""
}

final class Work: Cancellable {
  func cancel() {}
}

struct Count: Cancellable {
  var number = 0

  mutating func cancel() { number += 1 }
}

class Screen {
  var text = ""
  var promise: Promise<Model>?
  let queue = DispatchQueue(label: "screen")

  func chain() {
    var count = 0
    let model = Model()
    let promise = Promise<Model>(successClosure: { count += $0.number }, queue: .main, littlePromise: Work())
    promise.onSuccess { self.text = "\($0.number)" }
      .onError { [weak self] error in self?.text = "\(error)" }
      .finally { self.promise = nil }
    self.promise = promise.then { (model: Model) -> Promise<NSArray> in Promise().fulfill(with: [model]) }
      .then(in: queue) { _ in Promise<Model>().fulfill(with: model) }
    promise.fulfill(with: model, in: .main).complete(with: PromiseFailure.timeout)
    promise.littlePromise = Count()
    promise.cancel()
  }

  func pass() {
    let step: (Model) -> Void = { $0.number = 1 }
    promise?.proxy(in: queue).onSuccess(in: .main, show).onSuccess(step).finally(finish)
    Request<Int>().then(text(of:)).onSuccess { print($0) }
  }

  func show(_ model: Model) {}
  func finish() {}
  func text(of number: Int) -> Promise<String> { Promise<String>() }
}

/// Generic code whose parameters are not constrained to be Sendable.
func fulfilled<T>(with value: T) -> Promise<T> { Promise<T>().fulfill(with: value) }

enum Failure: Error {
  case cancelled(PromiseFailure)
}

@MainActor class Controller {
  var text = ""

  func load() {
    fulfilled(with: 1)
      .onSuccess(in: .main) { self.text = "\($0)" }
      .onError(in: .main) { _ in self.text = "" }
      .finally(in: .main) { self.text = "" }
    Promise<Int>().then { _ in Promise<Model>() }.onSuccess { self.text = "\($0.number)" }
  }
}
