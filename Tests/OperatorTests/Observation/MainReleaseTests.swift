import Dispatch
import Testing

@testable import Overmorrow

/// Where a callback is released that was to run on the main queue and will not. These tests run on other threads, but for one.
@Suite(.inTurn) struct MainReleaseTests {
  static let contexts: [PromiseContext] = [.main, .queue(.main), .nowOr(.main), .actor(MainActor.shared)]

  /// Whether the objects of callbacks were released on the main queue.
  private let log = Recorder<Bool>()

  private func traced() -> @Sendable () -> Void {
    Tracker().callback(onDeinit: { [log] in log.record(MainQueue.isCurrent) })
  }

  private func traced<T>() -> @Sendable (T) -> Void {
    Tracker().callback(onDeinit: { [log] in log.record(MainQueue.isCurrent) })
  }

  /// What callbacks capture has gone by now, or is on its way to the main queue.
  private func expectReleasesOnMain(_ count: Int, _ sourceLocation: SourceLocation = #_sourceLocation) async {
    let drained = Latch()
    DispatchQueue.main.async { drained.signal() }
    await drained.wait(for: "the main queue to release callbacks", sourceLocation: sourceLocation)
    #expect(log.entries == Array(repeating: true, count: count), sourceLocation: sourceLocation)
  }

  @Test("2.25 a token that is invalidated or released", arguments: TestedOperator.every, [true, false])
  private func token(tested: TestedOperator, isReleased: Bool) async {
    let (promise, resolver) = Subject.makeWithResolver()
    for context in MainReleaseTests.contexts {
      let token = PromiseInvalidationToken()
      tested(promise, on: context, token: token, traced())
      if !isReleased { token.invalidate() }
    }
    await expectReleasesOnMain(MainReleaseTests.contexts.count)
    withExtendedLifetime(resolver) {}
  }

  @Test("2.25 a result that the callback is not meant for", arguments: TestedOperator.every)
  private func unwanted(tested: TestedOperator) async {
    var count = 0
    for ending in Ending.allCases where !tested.runsFor.contains(ending) {
      for context in MainReleaseTests.contexts {
        let (promise, resolver) = Subject.makeWithResolver()
        let child = tested(promise, on: context, traced())
        resolver.resolve(with: ending.result(7, "no"))
        withExtendedLifetime(child) {}
        count += 1
      }
    }
    await expectReleasesOnMain(count)
  }

  @Test("2.25 a chain whose owner has gone", arguments: contexts)
  private func owned(context: PromiseContext) async {
    let (promise, resolver) = Subject.makeWithResolver()
    do { _ = promise.map(on: context, traced()).then(on: context, traced()).owned() }
    await expectReleasesOnMain(2)
    withExtendedLifetime(resolver) {}
  }

  @Test("2.25 a cancel handler of a promise that is resolved", arguments: contexts)
  private func cancelHandler(context: PromiseContext) async {
    let (promise, resolver) = Subject.makeWithResolver()
    resolver.onRequestCancel(on: context, traced())
    resolver.fulfill(with: 1)
    await expectReleasesOnMain(1)
    withExtendedLifetime(promise) {}
  }

  @Test("2.25 a callback that races with its token runs or goes on the main queue")
  private func racing() async {
    let rounds = 200
    for _ in 0..<rounds {
      let (promise, resolver) = Subject.makeWithResolver()
      let token = PromiseInvalidationToken()
      promise.then(on: .main, token: token, traced())
      DispatchQueue.global().async { resolver.fulfill(with: 1) }
      token.invalidate()
      _ = await promise.outcome()
    }
    await expectReleasesOnMain(rounds)
  }

  @Test("2.25 on the main queue, a callback goes at once", arguments: contexts)
  @MainActor private func atOnce(context: PromiseContext) {
    let (promise, resolver) = Subject.makeWithResolver()
    let token = PromiseInvalidationToken()
    promise.then(on: context, token: token, traced())
    token.invalidate()
    #expect(log.entries == [true])
    withExtendedLifetime(resolver) {}
  }
}
