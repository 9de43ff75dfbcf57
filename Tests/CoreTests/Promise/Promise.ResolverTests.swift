import Overmorrow
import Testing

/// A way to resolve a promise, and the result, which differs between the ways as far as possible.
private struct Way: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let expected: PromiseResult<Int, Refusal>
  let use: @Sendable (Promise<Int, Refusal>.Resolver) -> Void

  init(
    _ name: String, _ expected: PromiseResult<Int, Refusal>,
    _ use: @escaping @Sendable (Promise<Int, Refusal>.Resolver) -> Void
  ) {
    (testDescription, self.expected, self.use) = (name, expected, use)
  }

  static let all =
    [
      Way("fulfill", .value(1)) { $0.fulfill(with: 1) },
      Way("reject", .error(.first)) { $0.reject(with: .first) },
      Way("cancel", .cancelled) { $0.cancel() },
      Way("a success", .value(3)) { $0.resolve(with: Result.success(3)) },
      Way("a failure", .error(.third)) { $0.resolve(with: Result.failure(.third)) },
    ]
    + Ending.allCases.map { $0.result(2, .second) }.map { result in
      Way("result \(result)", result) { $0.resolve(with: result) }
    }
    + Ending.allCases.map { $0.result(4, .first) }.map { result in
      Way("promise with \(result)", result) { $0.resolve(with: Promise(with: result)) }
    }
}

@Suite(.inTurn) struct ResolverTests {
  @Test("1.2 the first call decides the result, and later calls have no effect", arguments: Way.all, Way.all)
  private func firstWins(first: Way, second: Way) {
    let (promise, resolver) = Promise<Int, Refusal>.makeWithResolver()
    let copy = resolver
    let seen = Recorder<PromiseResult<Int, Refusal>>()
    promise.tap(on: .immediate) { seen.record($0) }
    first.use(resolver)
    second.use(copy)
    #expect(promise.result == first.expected)
    #expect(seen.entries == [first.expected])
  }

  @Test("1.2 a promise that adopts another one cannot be resolved in another way", arguments: Way.all)
  private func adoptingWins(second: Way) {
    let (inner, innerResolver) = Promise<Int, Refusal>.makeWithResolver()
    let (promise, resolver) = Promise<Int, Refusal>.makeWithResolver()
    resolver.resolve(with: inner)
    second.use(resolver)
    #expect(promise.result == nil)
    innerResolver.fulfill(with: 9)
    #expect(promise.result == .value(9))
  }

  @Test("1.2 a resolver for any error takes a result with a specific error type", arguments: Ending.allCases)
  func widening(ending: Ending) {
    let (promise, resolver) = Promise<Int, any Error>.makeWithResolver()
    let result: PromiseResult<Int, Refusal> = ending.result(7, .second)
    resolver.resolve(with: result)
    #expect(promise.result?.value == result.value)
    #expect(promise.result?.error as? Refusal == result.error)
    #expect(promise.result?.isCancelled == result.isCancelled)
  }

  @Test("1.2 1.14 the value of a later call is released at once")
  func losersAreReleased() {
    let tracker = Tracker()
    let (promise, resolver) = Promise<Tracker.Tracked, Tracker.Tracked>.makeWithResolver()
    resolver.fulfill(with: tracker.make())
    resolver.fulfill(with: tracker.make())
    resolver.reject(with: tracker.make())
    resolver.resolve(with: Promise(fulfilled: tracker.make()))
    #expect(tracker.count == 1)
    withExtendedLifetime(promise) {}
  }

  @Test("1.2 a promise of Void is fulfilled without an argument")
  func void() {
    let (promise, resolver) = Promise<Void, Never>.makeWithResolver()
    resolver.fulfill()
    #expect(promise.result?.value != nil)
  }

  // MARK: Release

  @Test("1.4 only the release of the last unused resolver copy cancels the promise")
  func dropped() {
    let (promise, first, second) = {
      let (promise, resolver) = Promise<Int, Refusal>.makeWithResolver()
      return (promise, Holder(resolver), Holder(resolver))
    }()
    first.value = nil
    #expect(promise.result == nil)
    second.value = nil
    #expect(promise.result == .cancelled)
  }

  @Test("1.4 a body that does not use its resolver cancels the promise when it returns")
  func droppedByBody() {
    let executor = ManualContext()
    let log = Recorder<String>()
    let promise = Promise<Int, Refusal>(on: executor.context) { _ in log.record("body ends") }
    promise.onCancel(on: .immediate) { log.record("cancelled") }
    #expect(promise.result == nil)
    executor.runAll()
    #expect(log.entries == ["body ends", "cancelled"])
    #expect(promise.result == .cancelled)
  }

  @Test("1.4 1.13 a promise and its resolver do not retain each other")
  func releasesBoth() {
    let tracker = Tracker()
    do {
      let (promise, resolver) = Promise<Int, Refusal>.makeWithResolver()
      promise.then(on: .immediate, tracker.callback { [promise] _ in withExtendedLifetime(promise) {} })
      withExtendedLifetime(resolver) { #expect(tracker.count == 1) }
    }
    #expect(tracker.count == 0)
  }
}
