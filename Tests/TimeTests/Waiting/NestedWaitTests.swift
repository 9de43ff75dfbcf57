import Dispatch
import Overmorrow
import Testing

/// Blocking waits inside deeply nested calls, where work has been deferred to limit the depth of the stack.
@Suite(.inTurn) struct NestedWaitTests {
  private typealias IntPromise = Promise<Int, Never>

  @Test("8.4 a wait in nested callbacks for a step deferred to its thread throws")
  func deferredStep() async throws {
    let failures = try await onOwnThread("a wait in nested callbacks") { () -> [PromiseWaitError?] in
      let failures = Recorder<PromiseWaitError?>()
      let last = Holder<IntPromise>()
      @Sendable func descend(_ level: Int) {
        IntPromise(fulfilled: level).then(on: .immediate) { level in
          if level < 24 { return descend(level + 1) }
          let step = IntPromise(fulfilled: 7).map(on: .immediate) { $0 + 1 }
          last.value = step
          failures.record(waitError(step))
        }
      }
      descend(1)
      // The step has run as soon as possible.
      return last.value?.result == .value(8) ? failures.entries : []
    }
    #expect(failures == [.deadlock])
  }

  @Test("8.4 a wait in nested cancel handlers for a handler deferred to its thread ends", arguments: [15, 16, 20])
  func deferredHandlers(levels: Int) async throws {
    let results = try await onOwnThread("a wait in nested cancel handlers") { () -> [PromiseResult<Int, Never>?] in
      let pairs = (0...levels).map { _ in IntPromise.makeWithResolver() }
      let results = Recorder<PromiseResult<Int, Never>?>()
      for index in 0..<levels {
        let next = pairs[index + 1].0
        pairs[index].1.onRequestCancel(on: .immediate) { resolver in
          next.requestCancel()
          if index == levels - 1 || index == 15 { results.record(try? next.waitForResult()) }
          resolver.cancel()
        }
      }
      pairs[levels].1.onRequestCancel(on: .immediate) { $0.fulfill(with: 7) }
      // A promise whose resolver is released is cancelled.
      withExtendedLifetime(pairs) { pairs[0].0.requestCancel() }
      return results.entries
    }
    #expect(results.contains(.value(7)))
    #expect(!results.contains(nil))
  }
}
