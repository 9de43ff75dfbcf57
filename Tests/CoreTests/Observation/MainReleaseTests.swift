import Dispatch
import Testing

@testable import Overmorrow
@testable import OvermorrowEngine

/// The release of callbacks that were meant to run on the main queue but will not. All tests but one run on other
/// threads.
@Suite(.inTurn) struct MainReleaseTests {
  static let contexts: [PromiseContext] = [.main, .queue(.main), .nowOr(.main), .actor(MainActor.shared)]

  /// For each released object of a callback, whether it was released on the main queue.
  private let log = Recorder<Bool>()

  private func traced() -> @Sendable () -> Void {
    Tracker().callback(onDeinit: { [log] in log.record(MainQueue.isCurrent) })
  }

  private func traced<T>() -> @Sendable (T) -> Void {
    Tracker().callback(onDeinit: { [log] in log.record(MainQueue.isCurrent) })
  }

  /// Waits for the main queue, and checks that all captured objects have been released on it.
  private func expectReleasesOnMain(_ count: Int, _ sourceLocation: SourceLocation = #_sourceLocation) async {
    let drained = Latch()
    DispatchQueue.main.async { drained.signal() }
    await drained.wait(for: "the main queue to release callbacks", sourceLocation: sourceLocation)
    #expect(log.entries == Array(repeating: true, count: count), sourceLocation: sourceLocation)
  }

  @Test(
    "2.25 the invalidation or release of a token releases its callbacks on the main queue",
    arguments: TestedOperator.every, [true, false])
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

  @Test("2.25 a callback not meant for the result is released on the main queue", arguments: TestedOperator.every)
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

  @Test("2.25 releasing an owned chain's cancellable releases its callbacks on the main queue", arguments: contexts)
  private func owned(context: PromiseContext) async {
    let (promise, resolver) = Subject.makeWithResolver()
    do { _ = promise.map(on: context, traced()).then(on: context, traced()).owned() }
    await expectReleasesOnMain(2)
    withExtendedLifetime(resolver) {}
  }

  @Test("2.25 the result of a promise releases its cancel handlers on the main queue", arguments: contexts)
  private func cancelHandler(context: PromiseContext) async {
    let (promise, resolver) = Subject.makeWithResolver()
    resolver.onRequestCancel(on: context, traced())
    resolver.fulfill(with: 1)
    await expectReleasesOnMain(1)
    withExtendedLifetime(promise) {}
  }

  @Test("2.25 a callback that races with its token is released on the main queue")
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

  @Test("2.25 on the main queue, a suppressed callback is released at once", arguments: contexts)
  @MainActor private func atOnce(context: PromiseContext) {
    let (promise, resolver) = Subject.makeWithResolver()
    let token = PromiseInvalidationToken()
    promise.then(on: context, token: token, traced())
    token.invalidate()
    #expect(log.entries == [true])
    withExtendedLifetime(resolver) {}
  }
}
