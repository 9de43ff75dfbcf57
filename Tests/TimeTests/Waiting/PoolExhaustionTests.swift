import Dispatch
import Foundation
import Testing

@testable import Overmorrow

@Suite(.serialized, .heavy) struct PoolExhaustionTests {
  /// Makes a promise whose body waits for a promise whose body waits, and so on.
  private static func nested(_ depth: Int, on context: PromiseContext) -> Promise<Int, any Error> {
    Promise<Int, any Error>(on: context) { resolver in
      resolver.fulfill(with: depth == 0 ? 0 : try nested(depth - 1, on: context).wait(timeout: bound) + 1)
    }
  }

  @Test(
    "8.5 11.11 waits that are nested 64 deep on the global queues end", arguments: [PromiseContext.default, .utility])
  func nested(context: PromiseContext) async {
    #expect(await Self.nested(64, on: context).outcome()?.value == 64)
  }

  @Test("8.5 11.11 64 nested waits that user code begins on the global queue itself end")
  func nestedInSteps() async {
    let result = Promise<Int, any Error>(on: .immediate) { resolver in
      DispatchQueue.global().async {
        resolver.completionHandler()(try? Self.nested(63, on: .userInitiated).wait(timeout: bound), nil)
      }
    }
    #expect(await result.outcome()?.value == 63)
  }

  @Test("8.5 a thousand waits that block the pool end although their source is queued behind")
  func thousandWaits() async {
    let gate = CancelProbe<Int, any Error>()
    let promise = gate.promise
    let waits = (0..<1000).map { index in
      Promise<Int, any Error>(on: .default) { $0.fulfill(with: try promise.wait(timeout: bound) + index) }
    }
    // Submitted last, behind a thousand others that have started and block.
    let label = Holder<String>()
    Promise<Int, any Error>(on: .default) { $0.fulfill(with: 1) }.then(on: .default) { value in
      label.value = currentQueueLabel
      gate.resolver.fulfill(with: value)
    }
    #expect(await when(fulfilled: waits).outcome()?.value?.reduce(0, +) == 1000 + 999 * 500)
    #expect(label.value == DispatchQueue.global(qos: .default).label, "wherever it runs, it is on its queue")
  }

  @Test("8.5 a thousand blocks of a global queue can wait for its steps")
  func globalQueue() async {
    let queue = DispatchQueue.global(qos: .utility)
    let waits = (0..<1000).map { index in
      Promise<Int, any Error>(on: .immediate) { resolver in
        queue.async {
          let step = Promise<Int, any Error>(fulfilled: index).map(on: .queue(queue)) { $0 }
          resolver.completionHandler()(try? step.wait(), nil)
        }
      }
    }
    let sum = when(fulfilled: waits).map(on: .immediate) { $0.reduce(0, +) }
    #expect(await sum.timeout(on: .immediate, bound).outcome()?.value == 999 * 500)
  }

  @Test("8.4 8.5 waits that would block every thread of a concurrent queue throw", arguments: [true, false])
  func concurrentQueue(areCallbacks: Bool) async {
    let queue = DispatchQueue(label: "concurrent", attributes: .concurrent)
    // Simulates so many blocked threads that no further thread is made, without waiting for Dispatch to create the
    // threads.
    for _ in 0..<64 { SpareThreads.threadWillBlock() }
    defer { for _ in 0..<64 { SpareThreads.threadDidUnblock() } }
    let waits = (0..<1000).map { _ in
      Promise<PromiseWaitError?, any Error>(on: areCallbacks ? .queue(queue) : .immediate) { resolver in
        let wait: @Sendable () -> Void = {
          resolver.fulfill(with: waitError(Promise<Int, any Error>(fulfilled: 1).map(on: .queue(queue)) { $0 }))
        }
        if areCallbacks { wait() } else { queue.async(execute: wait) }
      }
    }
    let errors = await when(fulfilled: waits).timeout(on: .immediate, bound).outcome()?.value
    #expect(errors?.count == 1000 && errors?.contains(.deadlock) == true)
  }

  @Test("8.5 delays and serial queues continue while a hundred waits block the pool")
  func timers() async {
    let promise = Promise<Int, any Error>(fulfilled: 1).delay(on: .default, .milliseconds(50))
      .map(on: .queue(DispatchQueue(label: "serial"))) { $0 }
    let waits = (0..<100).map { _ in
      Promise<Int, any Error>(on: .default) { $0.fulfill(with: try promise.wait(timeout: bound)) }
    }
    #expect(await when(fulfilled: waits).outcome()?.value?.reduce(0, +) == 100)
  }

  #if os(macOS) || os(Linux)
    @Test("8.5 work behind blocked threads runs although spare threads failed to start")
    func noThread() async {
      await #expect(processExitsWith: .success) {
        let (blockade, done) = (DispatchSemaphore(value: 0), Latch())
        for _ in 0..<600 {
          DispatchQueue.global(qos: .utility).async { blockade.wait() }
        }
        Lane.enqueue(WorkItem { done.signal() }, onGlobal: 1)
        SpareThreads.startsToFail.store(3, ordering: .relaxed)
        SpareThreads.threadWillBlock()
        await done.wait(for: "work behind threads that are blocked")
        #expect(SpareThreads.startsToFail.load(ordering: .relaxed) == 0)
        SpareThreads.threadDidUnblock()
      }
    }
  #endif

  @Test("8.5 a thousand waiting tasks block no thread")
  func thousandTasks() async throws {
    let gate = CancelProbe<Int, any Error>()
    let promise = gate.promise
    let waits = (0..<1000).map { _ in Promise<Int, any Error> { try await promise.value } }
    Promise<Int, any Error>(on: .default) { $0.fulfill(with: 1) }.then(on: .default) { gate.resolver.fulfill(with: $0) }
    #expect(await when(fulfilled: waits).outcome()?.value?.reduce(0, +) == 1000)
  }
}
