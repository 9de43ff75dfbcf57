import Overmorrow
import Testing

private typealias IntResult = PromiseResult<Int, Reason>

@Suite(.inTurn) struct PromiseResultTests {
  @Test("1.2 each result has its own content and none of the others", arguments: Ending.allCases)
  func accessors(ending: Ending) {
    let result: IntResult = ending.result(7, "no")
    #expect(result.value == (ending == .value ? 7 : nil))
    #expect(result.error == (ending == .error ? "no" : nil))
    #expect(result.isCancelled == (ending == .cancelled))
  }

  @Test("1.2 1.15 results are equal, and have equal hashes, if their cases and contents are equal")
  func equality() {
    let different: [PromiseResult<Int, Int>] = [.value(1), .value(2), .error(1), .error(2), .cancelled]
    for (i, left) in different.enumerated() {
      for (j, right) in different.enumerated() { #expect((left == right) == (i == j)) }
      #expect(left.hashValue == left.map { $0 }.hashValue)
    }
    #expect(Set(different + different).count == different.count)
  }

  // MARK: Transforms

  @Test(
    "1.2 1.15 map transforms only a value, and mapError only an error", arguments: Ending.allCases)
  func maps(ending: Ending) {
    let result: IntResult = ending.result(7, "no")
    var calls: [Ending] = []
    let mapped = result.map { value in
      calls.append(.value)
      return "\(value)!"
    }
    let mappedError = result.mapError { error in
      calls.append(.error)
      return error.text + "!"
    }
    #expect(mapped == ending.result("7!", "no"))
    #expect(mappedError == ending.result(7, "no!"))
    #expect(calls == (ending == .cancelled ? [] : [ending]))
  }

  @Test(
    "1.2 flatMap replaces a value by another result, and flatMapError an error",
    arguments: Ending.allCases, Ending.allCases)
  func flatMaps(ending: Ending, next: Ending) {
    let result: IntResult = ending.result(7, "no")
    let forValue: PromiseResult<String, Reason> = next.result("new", "other")
    let forError: PromiseResult<Int, String> = next.result(8, "other")
    #expect(result.flatMap { _ in forValue } == (ending == .value ? forValue : ending.result("", "no")))
    #expect(result.flatMapError { _ in forError } == (ending == .error ? forError : ending.result(7, "")))
  }

  @Test("1.2 1.15 an error that a transform throws is rethrown with its type")
  func throwing() {
    func thrown<T>(_ body: () throws(Refusal) -> T) -> Refusal? {
      do throws(Refusal) { _ = try body() } catch { return error }
      return nil
    }
    func fail<T>(_: T) throws(Refusal) -> Int { throw .first }
    func failFlat<T>(_: T) throws(Refusal) -> IntResult { throw .second }
    let (value, error) = (IntResult.value(7), IntResult.error("no"))
    #expect(thrown { () throws(Refusal) in try value.map(fail) } == .first)
    #expect(thrown { () throws(Refusal) in try error.mapError(fail) } == .first)
    #expect(thrown { () throws(Refusal) in try value.flatMap(failFlat) } == .second)
    #expect(thrown { () throws(Refusal) in try error.flatMapError(failFlat) } == .second)
  }

  // MARK: Conversion

  @Test("1.2 1.15 a Swift Result converts in both directions, and a cancellation converts to nil")
  func swiftResult() {
    #expect(PromiseResult(Result<Int, Refusal>.success(7)) == .value(7))
    #expect(PromiseResult(Result<Int, Refusal>.failure(.second)) == .error(.second))
    #expect(Result(PromiseResult<Int, Refusal>.value(7)) == .success(7))
    #expect(Result(PromiseResult<Int, Refusal>.error(.second)) == .failure(.second))
    #expect(Result(PromiseResult<Int, Refusal>.cancelled) == nil)
  }
}
