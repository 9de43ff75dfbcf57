import OvermorrowFlow
import Testing

@testable import Overmorrow
@testable import OvermorrowEngine

@Suite(.inTurn) struct DescribingTests {
  private typealias Subject = Promise<Int, Flaw>

  @Test("15.23 a promise's debug description has its place, context, observers and dependencies")
  func promises() {
    let first = #line + 2
    _ = PromiseDiagnostics.checking {
      let (promise, resolver) = Subject.makeWithResolver()
      let step = promise.map(on: .utility) { $0 }
      let (adopter, second) = Subject.makeWithResolver()
      second.resolve(with: step)
      let all = when(fulfilled: [promise, adopter])
      let place = { "made at \(#fileID):\(first + $0)" }
      #expect(
        promise.debugDescription == "Promise<Int, Flaw>(unresolved, \(place(0)), 2 observers, waits for its resolver)")
      #expect(
        step.debugDescription
          == "Promise<Int, Flaw>(unresolved, \(place(0)), on utility, 1 observer, waits for the promise before it)")
      #expect(
        adopter.debugDescription
          == "Promise<Int, Flaw>(unresolved, \(place(2)), 1 observer, waits for the promise \(place(0)))")
      #expect(all.debugDescription == "Promise<Array<Int>, Flaw>(unresolved, \(place(4)), waits for 2 promises)")
      #expect(
        resolver.debugDescription
          == "Promise<Int, Flaw>.Resolver(unresolved, \(place(0)), 2 observers, waits for its resolver)")
      resolver.fulfill(with: 1)
      #expect(promise.debugDescription == promise.description)
      #expect(resolver.debugDescription == "Promise<Int, Flaw>.Resolver(resolved)")
    }
  }

  @Test("15.23 the debug description of an unwatched promise says what it waits for")
  func unwatched() {
    // Created like the library's own promises, without a source location of the user.
    let (promise, resolver) = Subject.makeForLibrary(at: .library)
    #expect(promise.debugDescription == "Promise<Int, Flaw>(unresolved, waits for its resolver)")
    let step = promise.map(on: .main) { $0 }
    #expect(step.debugDescription == "Promise<Int, Flaw>(unresolved, waits for the promise before it)")
    resolver.cancel()
  }

  @Test("15.23 a limiter and a cache describe their state")
  func others() {
    let (held, resolver) = Subject.makeWithResolver()
    let limiter = PromiseLimiter(width: 2)
    let jobs = (0..<3).map { _ in limiter.run(on: .immediate) { held } }
    #expect("\(limiter)" == "PromiseLimiter(2 of 2 running, 1 waiting)")
    #expect(
      Mirror(reflecting: limiter).children.map { "\($0.label ?? ""): \($0.value)" } == [
        "width: 2", "runningCount: 2", "pendingCount: 1",
      ])
    let cache = PromiseCache<String, Int, Flaw>()
    for _ in 0..<2 { _ = cache.promise(for: "a", on: .immediate) { _ in Subject(fulfilled: 1) } }
    #expect("\(cache)" == "PromiseCache<String, Int, Flaw>(1 keys, 1 hits, 1 misses, 1 loads, 0 failures)")
    #expect(Mirror(reflecting: cache).children.map(\.label) == ["count", "counters"])
    resolver.cancel()
    withExtendedLifetime(jobs) {}
  }
}
