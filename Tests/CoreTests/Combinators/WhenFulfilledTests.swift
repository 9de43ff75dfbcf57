import Overmorrow
import Testing

/// The types of the arguments and of the results.
@Suite(.inTurn) struct WhenFulfilledTests {
  struct Point: Equatable { var x = 0, y = 0 }

  private func done<T: Sendable>(_ value: T) -> Promise<T, Flaw> { Promise(fulfilled: value) }

  @Test("5.1 one to eight promises of different types give a tuple of their values")
  func oneToEight() throws {
    let (a, b, c, d) = (done(1), done("b"), done(true), done(4.5))
    let (e, f, g, h) = (done([5]), done(Character("f")), done(Point(x: 7)), done(Int?.none))
    let one: Promise<Int, Flaw> = when(fulfilled: a)
    #expect(one.result == .value(1))
    let two = try #require(when(fulfilled: a, b).result?.value)
    #expect(two == (1, "b"))
    let three = try #require(when(fulfilled: a, b, c).result?.value)
    #expect(three == (1, "b", true))
    let four = try #require(when(fulfilled: a, b, c, d).result?.value)
    #expect(four == (1, "b", true, 4.5))
    let five = try #require(when(fulfilled: a, b, c, d, e).result?.value)
    #expect(five == (1, "b", true, 4.5, [5]))
    let six = try #require(when(fulfilled: a, b, c, d, e, f).result?.value)
    #expect(six == (1, "b", true, 4.5, [5], "f"))
    let seven = try #require(when(fulfilled: a, b, c, d, e, f, g).result?.value)
    #expect((seven.0, seven.1, seven.2, seven.3, seven.4, seven.5) == (1, "b", true, 4.5, [5], "f"))
    #expect(seven.6 == Point(x: 7))
    let eight = try #require(when(fulfilled: a, b, c, d, e, f, g, h).result?.value)
    #expect((eight.0, eight.1, eight.2, eight.3, eight.4, eight.5) == (1, "b", true, 4.5, [5], "f"))
    #expect((eight.6, eight.7) == (Point(x: 7), nil))
  }

  @Test("5.1 the failure type of the tuple may be an error type or Never")
  func failures() throws {
    let (number, text) = (Promise<Int, any Error>(fulfilled: 1), Promise<String, any Error>(fulfilled: "b"))
    let throwing = try #require(when(fulfilled: number, text).result?.value)
    #expect(throwing == (1, "b"))
    let never: Promise<(Int, Bool), Never> = when(fulfilled: Promise(fulfilled: 1), Promise(fulfilled: true))
    #expect(try #require(never.result?.value) == (1, true))
  }

  @Test("5.1 18.5 a typed chain compiles with a declared closure error or a named promise")
  func errorTypeInOneExpression() {
    let input = Promise<Int, Flaw>(fulfilled: 1)
    let count: Promise<Int, Flaw> = when(fulfilled: [input, input])
      .map(on: .immediate) { values throws(Flaw) in values.count }
    let all = when(fulfilled: [input, input])
    let sum: Promise<Int, Flaw> = all.map(on: .immediate) { $0.reduce(0, +) }
    #expect(count.result == .value(2) && sum.result == .value(2))
  }
}
