// Closures that run on a queue. In the Swift 5 mode the compiler reports nothing, as with the original library. In the
// Swift 6 mode it warns about what may be used by two threads, and reports no error.
import Dispatch
import PromiseKit

class Service {
  let queue = DispatchQueue(label: "service")
  var count = 0

  func parse(_ number: Int) -> Int { number }

  func load(_ promise: Promise<Int>) -> Promise<Int> {
    promise.map(on: .global()) { self.parse($0) }  // Swift 6 warning: capture of 'self' with non-Sendable type
  }

  func loadWeakly(_ promise: Promise<Int>) -> Promise<Int> {
    promise.map(on: queue) { [weak self] in
      self?.parse($0) ?? 0  // Swift 6 warning: capture of 'self' with non-Sendable type 'Service?'
    }
  }

  func steps(_ promise: Promise<[Int]>) {
    let model = Model()
    var total = 0
    promise.thenMap(on: queue) { Promise.value($0) }
      .mapValues(on: nil) { [parse] in parse($0) }  // Swift 6 warning: capture of 'parse' with non-Sendable type
      .filterValues(on: queue) { $0 > model.number }  // Swift 6 warning: capture of 'model' with non-Sendable type
      .get(on: queue) { total += $0.count }  // Swift 6 warning: mutation of captured var 'total'
      .ensure(on: queue) { self.count = 0 }  // Swift 6 warning: capture of 'self' with non-Sendable type
      .catch(on: nil) { _ in self.count = 0 }  // Swift 6 warning: capture of 'self' with non-Sendable type
      .finally(on: queue) { self.count = 1 }  // Swift 6 warning: capture of 'self' with non-Sendable type
    total += 1
  }

  func reference(_ promise: Promise<Int>) -> Promise<Int> {
    promise.map(on: queue, parse)  // Swift 6 warning: converting non-Sendable function value
  }
}

func forward<U>(_ promise: Promise<Int>, _ body: @escaping (Int) throws -> U) -> Promise<U> {
  promise.map(on: .global(), body)  // Swift 6 warning: passing non-Sendable parameter 'body' to function expecting
}

func wrap<T>(_ guarantee: Guarantee<T>, _ value: T, _ body: @escaping (T) -> Promise<T>) -> Promise<T> {
  guarantee.then(on: nil) { _ in
    body(value)  // Swift 6 warning: capture of 'body' with non-Sendable type  // Swift 6 warning: capture of 'value'
  }
}

@MainActor class Table {
  var rows = 0
  let queue = DispatchQueue(label: "table")

  func show(_ rows: Int) { self.rows = rows }

  func load(_ promise: Promise<Int>) {
    promise.map(on: .global()) { $0 + 1 }
      .get(on: queue) { self.rows = $0 }  // Swift 6 warning: main actor-isolated property 'rows' can not be mutated
      .get(on: .global(), show)
      .done(on: .main, show).cauterize()
  }
}

actor Store {
  var count = 0

  func load(_ promise: Promise<Int>) -> Promise<Void> {
    promise.map(on: .global()) { $0 + 1 }
      .done(on: .main) { self.count = $0 }  // Swift 6 warning: actor-isolated property 'count' can not be mutated
  }
}
