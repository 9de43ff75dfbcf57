import Overmorrow
import Testing

private typealias IntResult = PromiseResult<Int, Reason>

@Suite(.inTurn) struct PromiseResultTests {
  @Test("1.2 each result knows what it has, and what it has not")
  func accessors() {
    #expect(IntResult.value(7).value == 7)
    #expect(IntResult.value(7).error == nil)
    #expect(!IntResult.value(7).isCancelled)
    #expect(IntResult.error("no").value == nil)
    #expect(IntResult.error("no").error == "no")
    #expect(!IntResult.error("no").isCancelled)
    #expect(IntResult.cancelled.value == nil)
    #expect(IntResult.cancelled.error == nil)
    #expect(IntResult.cancelled.isCancelled)
  }

  @Test("1.2 results are equal when the case and what it carries are")
  func equality() {
    let different: [PromiseResult<Int, Int>] = [.value(1), .value(2), .error(1), .error(2), .cancelled]
    for (i, left) in different.enumerated() {
      for (j, right) in different.enumerated() { #expect((left == right) == (i == j)) }
    }
  }

  @Test("1.2 1.15 equal results hash alike, and a set tells all the others apart")
  func hashing() {
    let results: [PromiseResult<Int, Int>] = [.value(1), .value(2), .error(1), .error(2), .cancelled]
    #expect(Set(results + results).count == results.count)
    for result in results {
      let same = result.map { $0 }
      #expect(result.hashValue == same.hashValue)
    }
  }

  // MARK: Transforms

  @Test("1.2 1.15 map replaces the value, and runs for nothing else", arguments: Ending.allCases)
  func map(ending: Ending) {
    let result: IntResult = ending.result(7, "no")
    var calls = 0
    let mapped = result.map { value in
      calls += 1
      return "\(value)!"
    }
    #expect(mapped == ending.result("7!", "no"))
    #expect(calls == (ending == .value ? 1 : 0))
  }

  @Test("1.2 mapError replaces the error, and runs for nothing else", arguments: Ending.allCases)
  func mapError(ending: Ending) {
    let result: IntResult = ending.result(7, "no")
    var calls = 0
    let mapped = result.mapError { error in
      calls += 1
      return error.text + "!"
    }
    #expect(mapped == ending.result(7, "no!"))
    #expect(calls == (ending == .error ? 1 : 0))
  }

  @Test("1.2 flatMap puts another result in the place of a value", arguments: Ending.allCases, Ending.allCases)
  func flatMap(ending: Ending, next: Ending) {
    let result: IntResult = ending.result(7, "no")
    let replacement: PromiseResult<String, Reason> = next.result("new", "other")
    let expected: PromiseResult<String, Reason> = ending == .value ? replacement : ending.result("", "no")
    #expect(result.flatMap { _ in replacement } == expected)
  }

  @Test("1.2 flatMapError puts another result in the place of an error", arguments: Ending.allCases, Ending.allCases)
  func flatMapError(ending: Ending, next: Ending) {
    let result: IntResult = ending.result(7, "no")
    let replacement: PromiseResult<Int, String> = next.result(8, "other")
    let expected: PromiseResult<Int, String> = ending == .error ? replacement : ending.result(7, "")
    #expect(result.flatMapError { _ in replacement } == expected)
  }

  @Test("1.2 1.15 what a transform throws comes out, with its type")
  func throwing() {
    func thrown<T>(_ body: () throws(Refusal) -> T) -> Refusal? {
      do throws(Refusal) { _ = try body() } catch { return error }
      return nil
    }
    #expect(
      thrown { () throws(Refusal) in try IntResult.value(7).map { _ throws(Refusal) -> Int in throw .first } } == .first
    )
    #expect(
      thrown { () throws(Refusal) in try IntResult.error("no").mapError { _ throws(Refusal) -> Int in throw .second } }
        == .second)
    #expect(
      thrown { () throws(Refusal) in try IntResult.value(7).flatMap { _ throws(Refusal) -> IntResult in throw .third } }
        == .third)
    #expect(
      thrown { () throws(Refusal) in
        try IntResult.error("no").flatMapError { _ throws(Refusal) -> IntResult in throw .first }
      } == .first)
  }

  // MARK: To and from Result

  @Test("1.2 1.15 a Swift result becomes a value or an error")
  func fromResult() {
    #expect(PromiseResult(Result<Int, Refusal>.success(7)) == .value(7))
    #expect(PromiseResult(Result<Int, Refusal>.failure(.second)) == .error(.second))
  }

  @Test("1.2 a value or an error becomes a Swift result, and a cancellation none")
  func toResult() {
    #expect(Result(PromiseResult<Int, Refusal>.value(7)) == .success(7))
    #expect(Result(PromiseResult<Int, Refusal>.error(.second)) == .failure(.second))
    #expect(Result(PromiseResult<Int, Refusal>.cancelled) == nil)
  }
}
