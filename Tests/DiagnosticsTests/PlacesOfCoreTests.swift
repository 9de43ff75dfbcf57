import Overmorrow
import TestSupport
import Testing

/// Each function of the core that makes a promise without a source, and the line of its caller.
@Suite(.inTurn) struct PlacesOfCoreTests {
  /// The functions that have no such call, with the reasons.
  private static let reasons = [
    "PromiseAdapter.makePromise(of:failure:)": "adapters; the call stack gives the place",
    "PromiseAdapter.observeValue(_:on:token:_:)": "a step",
    "PromiseAdapter.transformError(_:on:_:)": "a step",
    "PromiseAdapter.transformError(_:on:token:_:)": "a step",
    "PromiseAdapter.transformResult(_:on:token:_:)": "a step",
    "PromiseAdapter.transformValue(_:on:_:)": "a step",
    "PromiseAdapter.transformValue(_:on:token:_:)": "a step",
    "PromiseCompletionOrder.next()": "a requirement of AsyncIteratorProtocol; waits for promises with places",
    "PromiseCompletionOrder.next(isolation:)": "a requirement of AsyncIteratorProtocol; waits for promises with places",
  ]

  static let calls: [PlacedCall] = creating + lazy + combining

  // Each call is on the line of its entry, because the diagnostics must name this line.
  // swift-format-ignore
  private static let creating: [PlacedCall] = [
    .init("AsyncSequence.firstPromise(priority:fileID:line:where:)") { inner in AsyncStream<Int> { $0.yield(1) }.firstPromise { _ in try await inner.promise.value == 1 } },
    .init("Promise.init(fileID:line:_:)") { inner in Number { resolver in resolver.resolve(with: inner.promise) } },
    .init("Promise.init(fulfilled:fileID:line:)", .fails) { inner in Number(fulfilled: 1).map(on: .immediate) { _ in throw inner.error } },
    .init("Promise.init(on:fileID:line:_:)") { inner in Number(on: .immediate) { resolver in resolver.resolve(with: inner.promise) } },
    .init("Promise.init(on:fileID:line:_:)", .fails) { inner in Promise<Int, PlacedError>(on: .immediate) { resolver in resolver.reject(with: inner.error) } },
    .init("Promise.init(on:fulfilled:after:clock:fileID:line:)", .fails) { inner in Number(on: .immediate, fulfilled: 1, after: .zero).map(on: .immediate) { _ in throw inner.error } },
    .init("Promise.init(on:rejected:after:clock:fileID:line:)", .fails) { inner in Number(on: .immediate, rejected: inner.error, after: .zero) },
    .init("Promise.init(on:with:after:clock:fileID:line:)", .fails) { inner in Number(on: .immediate, with: .error(inner.error), after: .zero) },
    .init("Promise.init(priority:fileID:line:_:)") { inner in Number { try await inner.promise.value } },
    .init("Promise.init(priority:taskExecutor:fileID:line:_:)") { inner in if #available(macOS 15, *) { Number(taskExecutor: nil) { try await inner.promise.value } } else { inner.promise } },
    .init("Promise.init(rejected:fileID:line:)", .fails) { inner in Number(rejected: inner.error) },
    .init("Promise.init(with:fileID:line:)", .fails) { inner in Number(with: .error(inner.error)) },
    .init("Promise.init(with:fileID:line:)", .fails) { inner in Number(with: Result.failure(inner.error)) },
    .init("Promise.makeWithResolver(fileID:line:)") { inner in resolving(Number.makeWithResolver(), inner) },
  ]

  // swift-format-ignore
  private static let lazy: [PlacedCall] = [
    .init("LazyPromise.init(fileID:line:_:)") { inner in LazyPromise<Int, any Error> { resolver in resolver.resolve(with: inner.promise) }.promise },
    .init("LazyPromise.init(fileID:line:_:)") { inner in LazyPromise<Int, any Error> { try await inner.promise.value }.promise },
    .init("LazyPromise.init(on:fileID:line:_:)") { inner in LazyPromise<Int, any Error>(on: .immediate) { resolver in resolver.resolve(with: inner.promise) }.promise },
    .init("LazyPromise.init(on:fileID:line:_:)", .fails) { inner in LazyPromise<Int, PlacedError>(on: .immediate) { resolver in resolver.reject(with: inner.error) }.promise },
  ]

  // swift-format-ignore
  private static let combining: [PlacedCall] = [
    .init("when(first:cancelRemaining:joining:fileID:line:)") { inner in when(first: [inner.promise]) },
    .init("when(firstFulfilled:cancelRemaining:joining:fileID:line:)", .waits) { inner in when(firstFulfilled: [inner.promise]) },
    .init("when(fulfilled:cancelOnFailure:joining:fileID:line:)") { inner in when(fulfilled: [inner.promise]) },
    .init("when(fulfilled:cancelOnFailure:joining:fileID:line:)") { inner in when(fulfilled: ["a": inner.promise]) },
    .init("when(fulfilled:cancelOnFailure:joining:fileID:line:)") { inner in when(fulfilled: inner.promise, inner.promise) },
    .init("when(fulfilled:maxConcurrent:cancelOnFailure:joining:on:token:fileID:line:_:)") { inner in when(fulfilled: [1], maxConcurrent: 1, on: .immediate) { _ in inner.promise } },
    .init("when(fulfilled:maxConcurrent:cancelOnFailure:joining:token:fileID:line:_:)") { inner in when(fulfilled: [1], maxConcurrent: 1) { _ in inner.promise } },
    .init("when(fulfilled:maxConcurrent:cancelOnFailure:joining:token:fileID:line:_:)") { inner in when(fulfilled: [1], maxConcurrent: 1) { _ in try await inner.promise.value } },
    .init("when(settled:fileID:line:)", .waits) { inner in when(settled: [inner.promise]) },
    .init("when(settled:fileID:line:)", .waits) { inner in when(settled: ["a": inner.promise]) },
    .init("when(settled:fileID:line:)", .waits) { inner in when(settled: inner.promise, inner.promise) },
    .init("when(settled:maxConcurrent:on:token:fileID:line:_:)", .waits) { inner in when(settled: [1], maxConcurrent: 1, on: .immediate) { _ in inner.promise } },
    .init("when(settled:maxConcurrent:token:fileID:line:_:)", .waits) { inner in when(settled: [1], maxConcurrent: 1) { _ in inner.promise } },
    .init("when(settled:maxConcurrent:token:fileID:line:_:)", .waits) { inner in when(settled: [1], maxConcurrent: 1) { _ in try await inner.promise.value } },
  ]

  @Test("15.58 the diagnostics name the caller's line of each function", arguments: calls)
  func places(call: PlacedCall) async { await call.check() }

  @Test("15.58 each function of the recorded interface has a call in the table")
  func complete() throws {
    #expect(try PlacedCall.missing(in: Self.calls, of: "Overmorrow", except: Self.reasons) == [])
    let reasons = [
      "CheckedPromisesTrait.provideScope(for:testCase:performing:)": "a requirement of TestScoping",
      "TestClock.sleep(until:tolerance:)": "a requirement of Clock; listed without a place",
    ]
    #expect(try PlacedCall.missing(in: [], of: "OvermorrowTesting", except: reasons) == [])
  }

  private static func resolving(
    _ made: (promise: Number, resolver: Number.Resolver), _ inner: PlacedCall.Inner
  ) -> Number {
    made.resolver.resolve(with: inner.promise)
    return made.promise
  }
}

private typealias Number = Promise<Int, any Error>
