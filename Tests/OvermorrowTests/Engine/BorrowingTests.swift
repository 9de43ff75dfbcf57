import Dispatch
import Testing

@testable import Overmorrow

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// How long the calling thread has used a processor.
private var timeOnProcessor: Duration {
  var time = timespec()
  unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
}

@Suite(.heavy) struct BorrowingTests {
  typealias IntPromise = Promise<Int, Flaw>

  /// Borrows the request word of a promise, as somebody would whom the system has stopped in the middle of it.
  private func borrow(_ promise: IntPromise, while body: @Sendable () -> Void) {
    let core = promise.handle.core
    Borrowing.borrow(from: core) {
      // Unsafe: the promise keeps its core.
      let old = unsafe core.pointer.pointee.request.load(ordering: .acquiring)
      let borrowed = RequestWord(bits: old).borrowing()
      unsafe core.pointer.pointee.request.store(borrowed?.bits ?? old, ordering: .releasing)
      body()
      unsafe core.pointer.pointee.request.bitwiseAnd(~RequestWord.borrowedBit, ordering: .acquiringAndReleasing)
    }
  }

  @Test("3.12 a request is passed on while somebody looks at what the promise waits for")
  func asking() async throws {
    // Without a handler: to look at that would take a lock, too, which may be the same one.
    let kept = Holder<IntPromise.Resolver>()
    let step = IntPromise(on: .immediate) { kept.value = $0 }.map(on: .immediate) { $0 }
    try await onOwnThread("a request beside a borrowed word") {
      borrow(step) {
        let asked = DispatchSemaphore(value: 0)
        DispatchQueue.global().async {
          step.requestCancel()
          asked.signal()
        }
        #expect(asked.wait(timeout: .now() + patience) == .success, "the request waits for the one who looks")
      }
    }
    #expect(kept.value?.hasRequestedCancel == true)
    kept.value?.cancel()
    #expect(step.result == .cancelled)
  }

  @Test("3.12 who has to wait for one who looks at what the promise waits for does not use the processor meanwhile")
  func waiting() async throws {
    let (source, resolver) = IntPromise.makeWithResolver()
    let step = source.map(on: .immediate) { $0 }
    let used = Holder<Duration>()
    try await onOwnThread("a result beside a borrowed word") {
      let done = DispatchSemaphore(value: 0)
      borrow(step) {
        DispatchQueue.global().async {
          let before = timeOnProcessor
          resolver.fulfill(with: 7)
          used.value = timeOnProcessor - before
          done.signal()
        }
        // It cannot end: a deadline that passes is what is wanted.
        #expect(done.wait(timeout: .now() + .milliseconds(500)) == .timedOut)
        #expect(step.result == nil)
      }
      #expect(done.wait(timeout: .now() + patience) == .success, "the result is held up for ever")
    }
    #expect(step.result == .value(7))
    let time = try #require(used.value)
    #expect(time < .milliseconds(100), "it has used \(time) of 500 ms")
  }
}
