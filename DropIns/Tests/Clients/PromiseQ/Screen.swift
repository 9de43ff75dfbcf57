// Code as users of PromiseQ write it. In every language mode, the compiler must report exactly the diagnostics that the
// comments announce.
import Dispatch
import Foundation
import PromiseQ

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

class Model {
  var number = 0
}

class Screen {
  var text = ""
  var promise: Promise<Int>?
  var anything: Promise<Any>?
  let queue = DispatchQueue(label: "screen")
  let model = Model()

  func show(_ text: String) { self.text = text }
  func finish() {}
  func made(from number: Int) -> Promise<Model> { Promise { Model() } }

  func capture() {
    var count = 0
    let model = model
    promise = Promise { model.number }
    promise = Promise { () -> Int in
      count += 1
      return count
    }
    .then { [weak self] in
      self?.show("\($0)")
      return $0
    }
    Promise(queue) { self.text.count }
      .then(.main) { self.show("\($0)") }
      .catch { error in self.show(error.localizedDescription) }
      .finally { self.text = "" }
    promise?.onDeinit { model.number = 0 }
  }

  func pass() {
    let model = model
    let body: () throws -> Int = { model.number }
    let step: (Int) throws -> Int = { $0 + model.number }
    let handler: (Error) -> Void = { print($0) }
    promise = Promise(f: body).then(f: step)
    promise = Promise(.main, timeout: 1, retry: 1, f: body)
    promise?.catch(f: handler)
    promise?.finally(f: finish)
    promise?.then(f: made)
    promise?.then(.main, f: Screen.log)
  }

  static func log(_ number: Int) {}

  func objects() {
    Promise<NSMutableArray> { NSMutableArray() }.then { $0.add(1) }
    Promise { [1, 2] as NSArray }.then { (list: NSArray) -> NSDictionary in [list: 1] }.then { print($0) }
    Promise<[String: Any]> { ["model": Model()] }.then { $0.count }
    anything = Promise.any([Promise<Any> { Model() }, Promise<Any> { 1 }])
    let promises = [1, 2].map { number in Promise { number + self.model.number } }
    Promise.all(promises).then { (numbers: [Int]) in self.model.number = numbers.count }
    Promise.race(promises).then { self.model.number = $0 }
  }

  func control() {
    let chain = Promise { Model() }
    DispatchQueue.global().async { chain.resume() }
    DispatchQueue.global().async { [promise] in promise?.suspend() }
    if chain.isCancelled { return }
    let model = try? chain.await()
    model?.number = 1
    let same = try? `await` { chain }
    same?.number = 2
  }

  func statements() {
    async { self.show("") }
    async { [model] in model.number += 1 }.then { self.show("") }
    async(.main) { self.show("") }
    async { self.made(from: 1) }
    async {
      let model = try self.made(from: 1).await()
      model.number = 2
      try `await` { self.made(from: 2) }
      try self.made(from: 3).await()
    }
    .catch { error in print(error) }
  }

  func requests() {
    let progress: PromiseQ.Progress = { _, bytes, _ in self.model.number = Int(bytes) }
    upload("http://localhost", data: Data(), progress: progress).then { [unowned self] in self.show($0.text ?? "") }
    download("http://localhost") { task, bytes, total in self.text = "\(bytes) of \(total)" }
      .then { response in self.model.number = response.data?.count ?? 0 }
    Promise<Data> { resolve, reject, task in
      task = URLSession.shared.dataTask(with: URLRequest(url: URL(fileURLWithPath: "/")))
      task.resume()
      throw "not now"
    }
  }
}

/// Generic code whose parameters are not constrained to be Sendable.
func promised<T>(_ value: T) -> Promise<T> { Promise { value } }
func promised<Key: Hashable, T>(_ values: [Key: T]) -> Promise<[Any]> {
  Promise.all(settled: true, values.values.map { value in Promise<Any> { value } })
}

struct Shared {
  static let model = Promise { Model() }
  static let number = Promise.resolve(1)
}

enum Failure: Error {
  case waiting(Promise<Model>)
}

@MainActor class Controller {
  var text = ""

  func load() {
    Promise(.main) { self.text = "a" }
    Promise(.main) { 1 }
      .then(.main) { self.text = "\($0)" }
      .catch(.main) { _ in self.text = "" }
      .finally(.main) { self.text = "" }
    async(.main) { self.text = "b" }
    fetch("http://localhost").then(.main) { self.text = $0.text ?? "" }
  }
}

/// Promises whose closures return promises: the compiler reports the same as with the original library.
func dropped(_ promise: Promise<Int>) {
  Promise<Int> { promise }  // warning: result of 'Promise<T>' initializer is unused
}
