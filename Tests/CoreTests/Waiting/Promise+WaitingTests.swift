import Dispatch
import Foundation
import Testing

@testable import Overmorrow
@testable import OvermorrowEngine

@Suite(.inTurn) struct PromiseWaitingTests {
  @Test("8.4 a wait for a resolved promise returns or throws its result without blocking")
  func resolved() throws {
    let value = try Promise<Int, any Error>(fulfilled: 1).wait()
    #expect(value == 1)
    #expect(throws: ProbeError.failed) { try Promise<Int, ProbeError>(rejected: .failed).wait() }
    #expect(throws: CancellationError.self) { try Promise<Int, ProbeError>(with: .cancelled).wait() }
    #expect(try Promise<Int, Never>(fulfilled: 2).wait(timeout: .zero) == 2)
    #expect(try Promise<Int, Reason>(rejected: "no").waitForResult() == .error("no"))
    #expect(Promise<Int, Reason>(with: .cancelled).waitForResult(timeout: .zero) == .cancelled)
  }

  @Test("8.4 a wait blocks its thread until the promise is resolved elsewhere")
  func blocks() async throws {
    let probe = IntProbe()
    let begun = Latch()
    let promise = probe.promise
    async let value = onOwnThread("the wait") {
      begun.signal()
      return try? promise.wait(timeout: bound)
    }
    await begun.wait(for: "the wait to begin")
    probe.resolver.fulfill(with: 7)
    #expect(try await value == 7)
  }

  @Test("8.4 a wait with a timeout gives up and returns nil or throws timedOut")
  func timesOut() async throws {
    let probe = IntProbe()
    let promise = probe.promise
    let outcomes = try await onOwnThread("the waits") {
      [Duration.milliseconds(1), .milliseconds(30), .zero, .seconds(-1)].map { timeout -> String in
        let result = promise.waitForResult(timeout: timeout)
        let error = #expect(throws: PromiseWaitError.self) { try promise.wait(timeout: timeout) }
        return "\(result == nil) \(error == .timedOut)"
      }
    }
    #expect(outcomes == Array(repeating: "true true", count: 4))
    #expect(probe.requestCount == 0)
  }

  @Test("8.4 8.10 a wait of zero has no vote and leaves nothing in the promise")
  func zeroTimeout() throws {
    let (kept, seen) = (IntProbe(), IntProbe())
    let promise = kept.promise
    #expect(promise.waitForResult(timeout: .zero) == nil)
    #expect(throws: PromiseWaitError.timedOut) { try promise.wait(timeout: .seconds(-1)) }
    #expect(promise.handle.core.state.list == 0)
    #expect(seen.take().waitForResult(timeout: .zero) == nil)
    #expect(seen.requestCount == 0)
  }

  @Test("8.3 8.9 a wait that gives up withdraws its vote and does not affect others")
  func vote() async throws {
    let (alone, shared) = (IntProbe(), IntProbe())
    let promise = shared.take()
    let other = promise.map(on: .immediate) { $0 }
    try await onOwnThread("the waits") {
      _ = alone.take().waitForResult(timeout: .milliseconds(1))
      _ = promise.waitForResult(timeout: .milliseconds(1))
    }
    #expect(alone.requestCount == 1)
    #expect(shared.requestCount == 0)
    withExtendedLifetime(other) {}
  }

  @Test("8.4 a wait that begins while its promise resolves returns the result")
  func racing() async {
    await race(
      rounds: 10_000, within: .seconds(2), { (probe: IntProbe(), result: Holder<PromiseResult<Int, ProbeError>?>()) },
      { $0.result.value = $0.probe.promise.waitForResult(timeout: .seconds(60)) },
      { $0.probe.resolver.fulfill(with: 7) },
      check: { $0.result.value == .some(.some(.value(7))) ? nil : "\(String(describing: $0.result.value))" })
  }

  @Test("8.4 8.10 a wait leaves nothing behind, whichever way it ends")
  func leaksNothing() async throws {
    let tracker = Tracker()
    try await onOwnThread("the waits") {
      let probe = CancelProbe<Tracker.Tracked, ProbeError>()
      _ = probe.promise.waitForResult(timeout: .milliseconds(1))
      probe.resolver.fulfill(with: tracker.make())
      _ = try? probe.promise.wait(timeout: bound)
    }
    #expect(tracker.count == 0)
  }

  @Test("8.4 a callback may wait for work of a global queue")
  func inCallback() async {
    let chain = Promise<Int, any Error>(fulfilled: 1).map(on: .utility) { value in
      try Promise<Int, any Error>(on: .utility) { $0.fulfill(with: value + 1) }.wait(timeout: bound)
    }
    #expect(await chain.outcome()?.value == 2)
  }
}
