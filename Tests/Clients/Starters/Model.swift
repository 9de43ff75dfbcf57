import Overmorrow
import OvermorrowFlow

// Functions that start work, in a module with main-actor default isolation. Closures with one or several statements use
// `self` directly, and the compiler chooses the overload by the body of the closure, wherever the promise is used.
// `Forms.swift` has every form.

struct Outage: Error {}
func load(_ n: Int) -> Promise<Int, any Error> { Promise(fulfilled: n) }
func loadT(_ n: Int) -> Promise<Int, Outage> { Promise(fulfilled: n) }
func read(_ n: Int) async throws -> Int { n }
func readTyped(_ n: Int) async throws(Outage) -> Int { n }
func count(_ n: Int) async -> Int { n }
func keep<V, F>(_ p: Promise<V, F>) -> Promise<V, F> { p }
func compare<V>(_ p: Promise<V, any Error>, _ q: Promise<V, any Error>) {}
func log(_ n: Any) {}
final class Model {
  let limiter = PromiseLimiter(width: 2)
  let cache = PromiseCache<Int, Int, any Error>()
  let numbers = [1, 2]
  var title = ""
  func reload(_ n: Int) -> Promise<Int, any Error> {
    title = "\(n)"
    return load(n)
  }
  func update(_ n: Int) async throws -> Int {
    title = "\(n)"
    return n
  }
  func body() {
    let a = Promise<Int, any Error> { resolver in
      self.title = "x"
      resolver.fulfill(with: 1)
    }
    a.then { self.title = "\($0)" }
    Promise<Int, any Error> { $0.fulfill(with: 1) }.then { log($0) }
    let b: Promise<Int, any Error> = Promise { resolver in resolver.fulfill(with: self.title.count) }
    log(b)
    let c = Promise<Int, Never> { resolver in resolver.fulfill(with: self.title.count) }
    log(c)
    let d = LazyPromise<Int, any Error> { resolver in
      self.title = "x"
      resolver.fulfill(with: 1)
    }
    let e = LazyPromise { try await self.update(1) }
    let f = LazyPromise {
      self.title = "a"
      return try await self.update(1)
    }
    let g: LazyPromise<Int, any Error> = LazyPromise { r in r.fulfill(with: self.title.count) }
    log((d, e, f, g))
  }
  func results() -> Promise<Int, any Error> {
    let nested = limiter.run { self.cache.promise(for: 1) { try await self.update($0) } }
    let p: Promise<Int, any Error> = nested
    if p == nested { return limiter.run { try await self.update(1) } }
    let typed = limiter.run { () throws(Outage) in try await readTyped(1) }
    let _: Promise<Int, Outage> = typed
    let never = limiter.run { await count(1) }
    let _: Promise<Int, Never> = never
    return limiter.run {
      self.title = "a"
      return self.reload(1)
    }
  }
  func inferred() {
    let typed = when(fulfilled: [1, 2], maxConcurrent: 2) { loadT($0) }
    let _: Promise<[Int], Outage> = typed
    let typedBody = Promise<Int, Outage> { resolver throws(Outage) in throw Outage() }
    log(typedBody)
  }
  func chain() {
    reload(1).flatMap { n in self.limiter.run { try await self.update(n) } }.map { $0 + 1 }.then {
      self.title = "\($0)"
    }
    reload(1).flatMap { n in Promise.retry { _ in try await self.update(n) } }.map { $0 + 1 }.then {
      self.title = "\($0)"
    }
    reload(1).flatMap { n in Promise { $0.fulfill(with: n) } }.map { $0 + 1 }.then { self.title = "\($0)" }
    limiter.run { self.reload(1) }.map { $0 + 1 }.flatMap { self.reload($0) }.then { log($0) }.catch { log($0) }
  }
}
