import Overmorrow
import Testing

/// The result of each transform for each input.
@Suite(.inTurn) struct TransformTests {
  @Test("2.1 map, mapError and recover replace only the results that they are meant for", arguments: Ending.allCases)
  func maps(ending: Ending) {
    let promise = Subject(with: ending.result(7, "no"))
    #expect(promise.map(on: .immediate) { "\($0)!" }.result == ending.result("7!", "no"))
    #expect(promise.map(on: .immediate) { value throws(Reason) in "\(value)!" }.result == ending.result("7!", "no"))
    #expect(promise.mapError(on: .immediate) { $0.text + "!" }.result == ending.result(7, "no!"))
    let recovered: Promise<Int, Never> = promise.recover(on: .immediate) { $0 == "no" ? 8 : 9 }
    #expect(recovered.result?.value == [.value: 7, .error: 8][ending])
    #expect(recovered.result?.isCancelled == (ending == .cancelled))
  }

  @Test("2.1 mapResult turns every result into any other", arguments: Ending.allCases, Ending.allCases)
  func mapResult(ending: Ending, next: Ending) {
    let seen = Recorder<PromiseResult<Int, Reason>>()
    let child = Subject(with: ending.result(7, "no")).mapResult(on: .immediate) { result in
      seen.record(result)
      return next.result("new", true) as PromiseResult<String, Bool>
    }
    #expect(seen.entries == [ending.result(7, "no")])
    #expect(child.result == next.result("new", true))
  }

  @Test(
    "2.1 2.4 flatMap and its variants adopt the returned promise and pass other results on",
    arguments: Ending.allCases, [false, true])
  func flatMaps(next: Ending, isLater: Bool) {
    for ending in Ending.allCases {
      let promise = Subject(with: ending.result(7, "no"))
      let (byValue, valueResolver) = Promise<String, Reason>.makeWithResolver()
      let (byError, errorResolver) = Promise<Int, Bool>.makeWithResolver()
      let (byResult, resultResolver) = Promise<String, Bool>.makeWithResolver()
      func resolve() {
        valueResolver.resolve(with: next.result("new", "other"))
        errorResolver.resolve(with: next.result(8, true))
        resultResolver.resolve(with: next.result("new", true))
      }
      if !isLater { resolve() }
      let flatMap = promise.flatMap(on: .immediate) { $0 == 7 ? byValue : Promise(fulfilled: "of another value") }
      let throwing = promise.flatMap(on: .immediate) { _ throws(Reason) in byValue }
      let flatMapError = promise.flatMapError(on: .immediate) { $0 == "no" ? byError : Promise(fulfilled: 9) }
      let flatMapResult = promise.flatMapResult(on: .immediate) { result in
        result == ending.result(7, "no") ? byResult : Promise(fulfilled: "of another result")
      }
      if isLater {
        #expect((flatMap.result == nil, throwing.result == nil) == (ending == .value, ending == .value), "\(ending)")
        #expect((flatMapError.result == nil, flatMapResult.result == nil) == (ending == .error, true), "\(ending)")
        resolve()
      }
      let expected: PromiseResult<String, Reason> =
        ending == .value ? next.result("new", "other") : ending.result("", "no")
      #expect(flatMap.result == expected)
      #expect(throwing.result == expected)
      #expect(flatMapError.result == (ending == .error ? next.result(8, true) : ending.result(7, false)))
      #expect(flatMapResult.result == next.result("new", true), "\(ending)")
    }
  }

  @Test("2.1 a promise that map returns is an ordinary value and is not adopted")
  func nested() {
    let (inner, resolver) = Subject.makeWithResolver()
    let child = Subject(fulfilled: 7).map(on: .immediate) { _ in inner }
    #expect(child.result?.value == inner)
    withExtendedLifetime(resolver) {}
  }

  @Test("2.4 the promise of flatMap resolves with the adopted one, without using the context")
  func noHop() {
    let executor = ManualContext()
    let (inner, resolver) = Subject.makeWithResolver()
    let child = Subject(fulfilled: 7).flatMap(on: executor.context) { _ in inner }
    executor.runAll()
    resolver.fulfill(with: 8)
    #expect((child.result, executor.count) == (.value(8), 0))
  }
}
