import Overmorrow
internal import OvermorrowDiagnostics
import OvermorrowEngine
import OvermorrowFlow
import TestSupport
import Testing

/// Each function of `OvermorrowFlow` that makes a promise or runs work, and the line of its caller.
@Suite(.inTurn) struct PlacesOfFlowTests {
  private static let retry = PromiseRetryPolicy<any Error>(attempts: 1)

  static let calls: [PlacedCall] = promises + refusals + asyncCalls

  // Each call is on the line of its entry, because the diagnostics must name this line.
  // swift-format-ignore
  private static let promises: [PlacedCall] = [
    .init("Promise.hedge(after:attempts:on:clock:fileID:line:_:)") { inner in Number.hedge(after: .seconds(600), on: .immediate) { _ in inner.promise } },
    .init("Promise.retry(_:on:clock:generator:fileID:line:_:until:)") { inner in Number.retry(retry, on: .immediate) { _ in inner.promise } },
    .init("Promise.retry(_:clock:generator:fileID:line:_:until:)") { inner in Number.retry(retry) { _ in inner.promise } },
    .init("Promise.retry(_:clock:generator:fileID:line:_:until:)") { inner in Number.retry(retry) { _ in try await inner.promise.value } },
    .init("Promise.withProgress(on:total:fileID:line:_:)") { inner in Number.withProgress(on: .immediate) { resolver, _ in resolver.resolve(with: inner.promise) }.promise },
    .init("PromiseBatcher.promise(for:fileID:line:)") { inner in batcher(inner).promise(for: 1) },
    .init("PromiseCache.promise(for:fileID:line:load:)") { inner in Cache().promise(for: 1) { _ in inner.promise } },
    .init("PromiseCache.promise(for:fileID:line:load:)") { inner in Cache().promise(for: 1) { _ in try await inner.promise.value } },
    .init("PromiseCache.promise(for:on:fileID:line:load:)") { inner in Cache().promise(for: 1, on: .immediate) { _ in inner.promise } },
    .init("PromiseCache.setValue(_:for:fileID:line:)", .fails) { inner in Cache().setting { $0.setValue(1, for: 1) }.failing(inner) },
    .init("PromiseCircuitBreaker.run(fileID:line:_:)", .fails) { _ in openBreaker.run { Number(fulfilled: 1) } },
    .init("PromiseGate.close(cancellingAfter:clock:fileID:line:)", .waits) { inner in PromiseGate().running(inner).close() },
    .init("PromiseGate.run(fileID:line:_:)", .fails) { _ in closedGate.run { Number(fulfilled: 1) } },
    .init("PromiseKeyedRateLimiter.run(for:on:fileID:line:_:)") { inner in PromiseKeyedRateLimiter<Int>(1, per: .seconds(1)).run(for: 1, on: .immediate) { inner.promise } },
    .init("PromiseLimiter.run(on:priority:fileID:line:_:)") { inner in PromiseLimiter(width: 1).run(on: .immediate) { inner.promise } },
    .init("PromiseLimiter.run(priority:fileID:line:_:)") { inner in PromiseLimiter(width: 1).run { inner.promise } },
    .init("PromiseLimiter.run(priority:fileID:line:_:)") { inner in PromiseLimiter(width: 1).run { try await inner.promise.value } },
    .init("PromiseRateLimiter.run(on:fileID:line:_:)") { inner in PromiseRateLimiter(1, per: .seconds(1)).run(on: .immediate) { inner.promise } },
  ]

  // swift-format-ignore
  private static let refusals: [PlacedCall] = [
    .init("PromiseLimiter.run(on:priority:fileID:line:_:)", .fails) { _ in fullLimiter.run(on: .immediate) { Number(fulfilled: 1) } },
    .init("PromiseRateLimiter.run(on:fileID:line:_:)", .fails) { _ in emptyRate.run(on: .immediate) { Number(fulfilled: 1) } },
    .init("PromiseRateLimiter.run(on:fileID:line:_:)") { inner in PromiseRateLimiter(1, per: .seconds(1)).run(on: .default) { inner.promise } },
    .init("Promise.hedge(after:attempts:on:clock:fileID:line:_:)") { inner in Number.hedge(after: .zero, on: .default) { _ in inner.promise } },
  ]

  // swift-format-ignore
  private static let asyncCalls: [PlacedCall] = [
    .init(async: "PromiseBatcher.value(for:fileID:line:)") { inner in _ = try await batcher(inner).value(for: 1) },
    .init(async: "PromiseCache.value(for:fileID:line:load:)") { inner in _ = try await Cache().value(for: 1) { _ in try await inner.promise.value } },
    .init(async: "PromiseCircuitBreaker.perform(isolation:fileID:line:_:)") { inner in _ = try await PromiseCircuitBreaker().perform { try await inner.promise.value } },
    .init(async: "PromiseGate.perform(isolation:fileID:line:_:)") { inner in _ = try await PromiseGate().perform { try await inner.promise.value } },
    .init(async: "PromiseGate.close(cancellingAfter:clock:fileID:line:)") { inner in try await PromiseGate().running(inner).close() },
    .init(async: "PromiseKeyedRateLimiter.perform(for:isolation:fileID:line:_:)") { inner in _ = try await PromiseKeyedRateLimiter<Int>(1, per: .seconds(1)).perform(for: 1) { try await inner.promise.value } },
    .init(async: "PromiseLimiter.perform(priority:isolation:fileID:line:_:)") { inner in _ = try await PromiseLimiter(width: 1).perform { try await inner.promise.value } },
    .init(async: "PromiseLimiter.perform(priority:isolation:fileID:line:_:)") { inner in _ = try await takenLimiter.perform { try await inner.promise.value } },
    .init(async: "PromiseRateLimiter.perform(isolation:fileID:line:_:)") { inner in _ = try await PromiseRateLimiter(1, per: .seconds(1)).perform { try await inner.promise.value } },
    .init(async: "withHedging(after:attempts:clock:isolation:fileID:line:_:)") { inner in _ = try await withHedging(after: .seconds(600)) { _ in try await inner.promise.value } },
    .init(async: "withRetry(_:clock:generator:isolation:fileID:line:_:until:)") { inner in _ = try await withRetry(retry) { _ in try await inner.promise.value } },
    .init(async: "withTimeout(_:clock:isolation:fileID:line:_:)") { inner in _ = try await withTimeout(.seconds(600)) { try await inner.promise.value } },
  ]

  @Test("15.58 15.59 the diagnostics name the caller's line of each function", arguments: calls)
  func places(call: PlacedCall) async { await call.check() }

  @Test("15.58 each function of the recorded interface has a call in the table")
  func complete() throws { #expect(try PlacedCall.missing(in: Self.calls, of: "OvermorrowFlow", except: [:]) == []) }
}

private typealias Number = Promise<Int, any Error>
private typealias Cache = PromiseCache<Int, Int, any Error>

extension PromiseCache<Int, Int, any Error> {
  fileprivate func setting(_ body: (PromiseCache) -> Void) -> PromiseCache {
    body(self)
    return self
  }

  /// Returns a step of the cached promise, which is rejected.
  fileprivate func failing(_ inner: PlacedCall.Inner) -> Promise<Int, any Error> {
    promise(for: 1, on: .immediate) { _ in inner.promise }.map(on: .immediate) { _ in throw inner.error }
  }
}

extension PromiseGate {
  fileprivate func running(_ inner: PlacedCall.Inner) -> PromiseGate {
    _ = run { inner.promise }
    return self
  }
}

private func batcher(_ inner: PlacedCall.Inner) -> PromiseBatcher<Int, Int> {
  PromiseBatcher(on: .default) { _ in inner.promise.map(on: .immediate) { [1: $0] } }
}

private let closedGate = {
  let gate = PromiseGate()
  gate.close()
  return gate
}()

private let openBreaker = {
  let breaker = PromiseCircuitBreaker(minimumCalls: 1, openDuration: .seconds(100_000))
  breaker.run { Number(rejected: PromiseRefusalError.gateClosed) }.always(on: .immediate) { _ in }
  return breaker
}()

private let emptyRate = {
  let limiter = PromiseRateLimiter(1, per: .seconds(100_000))
  _ = limiter.run(on: .immediate) { Number(fulfilled: 1) }
  return limiter
}()

/// A limiter whose place is taken until the end of the process, and which lets nothing wait.
private let fullLimiter = taken(PromiseLimiter(width: 1, maxPending: 0))
/// The same with a queue.
private let takenLimiter = taken(PromiseLimiter(width: 1))

private func taken(_ limiter: PromiseLimiter) -> PromiseLimiter {
  PromiseScope.outside {
    let (promise, resolver) = Number.makeForLibrary(at: .library)
    limiter.run(on: .immediate) { promise }.onCancel(on: .immediate) { withExtendedLifetime(resolver) {} }
  }
  return limiter
}
