// Code as users of PromiseKit write it. In every language mode, the compiler must report exactly the diagnostics that
// the comments announce.
import Dispatch
import Foundation
import PromiseKit

class Model {
  var number = 0
}

class Screen {
  var text = ""
  let queue = DispatchQueue(label: "screen")

  func load(_ name: String) -> Promise<Model> {
    return Promise { seal in
      if name.isEmpty { seal.reject(PMKError.badInput) } else { seal.fulfill(Model()) }
    }
  }

  func chain() {
    var count = 0
    load("a").map { model -> Int in
      count += 1
      return model.number
    }.done(show).catch { error in
      self.text = "\(error)"
    }.finally {
      count = 0
    }
    load("b").get { $0.number = 1 }.tap { print($0) }.asVoid().done { self.show(1) }.cauterize()
    load("c").recover { _ in .value(Model()) }.done { self.show($0.number) }.cauterize()
  }

  func queues() {
    load("a").map(\.number).then { number in after(seconds: 1).map { number } }.done { self.text = "\($0)" }.cauterize()
    let finish: (Model) -> Void = { $0.number = 2 }
    load("b").done(finish).cauterize()
    conf.Q = (map: .main, return: .main)
    conf.logHandler = { _ in }
  }

  func all() -> Promise<[Model]> {
    let both = when(fulfilled: load("a"), load("b")).map { [$0, $1] }
    return race(both, when(fulfilled: [load("c")]), after(seconds: 3).then { both })
  }

  func show(_ number: Int) { text = "\(number)" }

  func drop() {
    load("a").done { _ in }  // warning: result of call to 'done'
    load("a").map { $0 }  // warning: result of call to 'map'
    load("a").ensure {}  // warning: result of call to 'ensure'
  }
}

/// Generic code whose parameters are not constrained to be Sendable.
func fastest<Value>(_ promises: [Promise<Value>]) -> Promise<Value> { race(promises) }
func everything<T: Thenable>(_ promises: [T]) -> Promise<[T.T]> { when(fulfilled: promises) }

struct Shared {
  static let model = Promise<Model> { $0.fulfill(Model()) }
}

@MainActor class Controller {
  let screen = Screen()
  var text = ""

  func load() {
    screen.load("a").map { "\($0.number)\(self.text)" }.done { self.text = $0 }.ensure { self.text += "." }
      .catch { self.text = "\($0)" }.finally { self.text += "!" }
    screen.load("b").done(show).cauterize()
  }

  func show(_ model: Model) { text = "\(model.number)" }
}

extension PromiseKit.Thenable {
  func logged() -> Promise<T> { get { print($0) } }
}
