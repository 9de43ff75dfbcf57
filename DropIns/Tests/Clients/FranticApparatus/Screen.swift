// Code as users of FranticApparatus write it. In every language mode, the compiler must report exactly the diagnostics
// that the comments announce.
import Dispatch
import Foundation
import FranticApparatus

class Model {
  var number = 0
}

class Screen {
  var text = ""
  var model: Promise<Model>?
  var models: Promise<[Model]>?
  var some: Promise<AnyResult<String, Model>>?
  var list: Promise<NSArray>?
  var anything: Promise<Any>?
  let dispatcher: Dispatcher = GCDDispatcher(queue: DispatchQueue(label: "screen"))

  func load(_ name: String) -> Promise<Model> {
    return Promise { (fulfill, reject, isCancelled) in
      if isCancelled() { return }
      if name.isEmpty { reject(PromiseError.unknownReason) } else { fulfill(Model()) }
    }
  }

  func make() {
    var count = 0
    model = PromiseMaker.makeUsing(context: self) { (makePromise) in
      makePromise { (context) in
        return context.load("a")
      }.whenFulfilled { (context, model) in
        context.text = "\(model.number)"
        count += 1
      }.whenRejected { (context, reason) in
        context.text = "\(reason)"
      }.whenComplete { (context) in
        context.model = nil
      }
    }
  }

  func chain() {
    var count = 0
    model = load("a").then(
      on: dispatcher,
      onFulfilled: { (model: Model) -> FranticApparatus.Result<Model> in
        count += 1
        return .value(model)
      },
      onRejected: { throw $0 })
    models = all([load("a"), load("b")]).whenFulfilled(on: GCDDispatcher.main) { self.text = "\($0.count)" }
    some = any(["a": load("a")]).whenComplete(on: OperationDispatcher.main) { [weak self] in self?.some = nil }
    list = load("a").whenFulfilledThenTransform(on: dispatcher) { [$0] as NSArray }
    anything = load("a")
      .whenFulfilledThenPromise(on: dispatcher) { model in Promise<Any> { fulfill, _, _ in fulfill(model) } }
      .whenRejectedThenTransform(on: dispatcher) { $0 }
    model = race([load("a")])
  }

  func pass() {
    let step: (Model) throws -> Void = { $0.number = 1 }
    model = load("a").whenFulfilled(on: dispatcher, thenDo: step)
      .whenComplete(on: dispatcher, thenDo: finish)
      .whenFulfilledThenMap(on: dispatcher, map: map)
    let model = model
    DispatchQueue.global().async { print(model as Any) }
  }

  func finish() {}
  func map(_ model: Model) -> FranticApparatus.Result<Model> { .value(model) }

  /// A promise without a handle does not run, so the compiler warns if the result is unused.
  func drop() {
    load("a").whenFulfilled(on: dispatcher) { _ in }  // warning: result of call to 'whenFulfilled(
    load("a").whenRejected(on: dispatcher) { _ in }  // warning: result of call to 'whenRejected(
    load("a").whenComplete(on: dispatcher) {}  // warning: result of call to 'whenComplete(
  }
}

/// Generic code whose parameters are not constrained to be Sendable.
func everything<Key: Hashable, Value>(_ promises: [Key: Promise<Value>]) -> Promise<[Key: Value]> { all(promises) }
func something<Key, Value>(_ promises: [Key: Promise<Value>]) -> Promise<AnyResult<Key, Value>> { any(promises) }
func fastest<Value>(_ promises: [Promise<Value>]) -> Promise<Value> { race(promises) }

struct Name<T>: Hashable {
  let number: Int
}

class Store<Key: Hashable> {
  func everything<T>(_ promises: [Name<T>: Promise<Int>]) -> Promise<[Name<T>: Int]> { all(promises) }
  func something(_ promises: [Key: Promise<NSArray>]) -> Promise<AnyResult<Key, NSArray>> { any(promises) }
}

class ManualDispatcher: Dispatcher {
  var closures: [() -> Void] = []

  func dispatch(_ closure: @escaping () -> Void) { closures.append(closure) }
}

struct Shared {
  static let model = Promise<Model> { fulfill, _, _ in fulfill(Model()) }
  static let none = ErrorDictionary<String>(errors: [:])
}

enum Failure: Error {
  case waiting(Promise<Model>)
  case several(ErrorDictionary<Int>, ErrorArray)
}

@MainActor class Controller {
  let screen = Screen()
  var text = ""
  var promise: Promise<Model>?

  func load() {
    promise = screen.load("a")
      .whenFulfilled(on: GCDDispatcher.main) { self.text = "\($0.number)" }
      .whenComplete(on: GCDDispatcher.main) { self.promise = nil }
  }
}

extension FranticApparatus.Thenable {
  func logged(on dispatcher: Dispatcher) -> Promise<Value> { whenFulfilled(on: dispatcher) { print($0) } }
}
