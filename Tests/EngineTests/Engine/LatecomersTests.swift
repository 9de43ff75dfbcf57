import Dispatch
import Foundation
import Overmorrow
import Testing

/// Observers that are registered while a promise delivers its result.
@Suite(.inTurn) struct LatecomersTests {
  private typealias IntPromise = Promise<Int, Never>

  /// The state shared by threads that register observers on one promise as fast as they can.
  private final class Flood: Sendable {
    let (promise, resolver) = IntPromise.makeWithResolver()
    let isOver = Latch()
    /// The number of observers that each thread has registered; `started` counts those that have been started.
    let registered: [Counter]
    let started: [Counter]
    /// The threads of observers that were started out of order.
    let outOfTurn = Recorder<Int>()

    init(_ threads: Int) {
      registered = (0..<threads).map { _ in Counter() }
      started = (0..<threads).map { _ in Counter() }
    }

    /// The largest number of observers that one thread registers. Their sum stays far below the number of votes that a
    /// promise can count.
    private static let mostOfOneThread = isSanitized ? 12_500 : 250_000

    func register(_ thread: Int, on context: PromiseContext) {
      let (registered, started) = (registered[thread], started[thread])
      while !isOver.isOpen, registered.count < Self.mostOfOneThread {
        let number = registered.increment()
        promise.then(on: context) { [outOfTurn] _ in
          if started.increment() != number { outOfTurn.record(thread) }
        }
      }
    }

    var areAllStarted: Bool { zip(registered, started).allSatisfy { $0.count == $1.count } }
  }

  /// The contexts with which threads register observers, and whether each runs them one at a time.
  private static let floods: [(PromiseContext, isSerial: Bool)] = [
    (.immediate, false), (.nowOr(.utility), false), (.utility, false), (.queue(DispatchQueue(label: "serial")), true),
    (.executor(RepeatingExecutor(times: 1)), false),
  ]

  @Test(
    "2.7 2.5 the resolving call returns while eight threads register, and all observers start once",
    arguments: floods)
  func flood(context: PromiseContext, isSerial: Bool) async throws {
    let threads = 8
    let flood = Flood(threads)
    let done = Latch(threads)
    for thread in 0..<threads {
      Thread {
        flood.register(thread, on: context)
        done.signal()
      }.start()
    }
    let hasResolved = Latch()
    Thread {
      while flood.registered.contains(where: { $0.count < scaled(100) }) { sched_yield() }
      flood.resolver.fulfill(with: 7)
      hasResolved.signal()
    }.start()
    await hasResolved.wait(for: "the resolving call, while \(threads) threads register")
    flood.isOver.signal()
    await done.wait(for: "the threads that register")
    // When this observer starts, all earlier ones have been started or submitted to the context.
    _ = await flood.promise.map(on: context) { $0 }.outcome("the last observer")
    let areAllStarted = try await onOwnThread("all observers to be started") { waitUntil { flood.areAllStarted } }
    #expect(areAllStarted && flood.areAllStarted, "an observer was not started, or was started twice")
    if isSerial { #expect(flood.outOfTurn.entries == []) }
  }

  // MARK: During a callback

  /// Resolves a promise on another thread. The last observer runs until the test releases it.
  private struct Blocked: Sendable {
    let promise: IntPromise
    let release = DispatchSemaphore(value: 0)
    let log = Recorder<String>()
    private let done = Latch()

    /// - Parameter added: Registers other observers before the one that blocks.
    init(_ added: @Sendable (IntPromise) -> Void = { _ in }) async {
      let (promise, resolver) = IntPromise.makeWithResolver()
      self.promise = promise
      added(promise)
      let begun = Latch()
      promise.then(on: .immediate) { [release, log] _ in
        begun.signal()
        release.wait()
        log.record("blocked")
      }
      Thread { [done] in
        resolver.fulfill(with: 7)
        done.signal()
      }.start()
      await begun.wait(for: "the last observer to begin")
    }

    func end() async {
      release.signal()
      await done.wait(for: "the resolving call")
    }
  }

  @Test(
    "2.7 2.8 while the last observer runs elsewhere, new observers run inside their registering calls",
    arguments: [PromiseContext.immediate, .nowOr(.main)])
  func besideTheLast(context: PromiseContext) async {
    let blocked = await Blocked()
    for name in ["first", "second"] {
      blocked.promise.then(on: context) { [log = blocked.log] _ in
        log.record("\(name) \(PromiseContext.isExecutingNow)")
      }
      blocked.log.record("registered")
    }
    let isNow = context != .immediate
    await blocked.end()
    #expect(blocked.log.entries == ["first \(isNow)", "registered", "second \(isNow)", "registered", "blocked"])
  }

  @Test("2.7 5.1 while the last observer runs on another thread, combinators resolve inside their calls")
  func combinators() async {
    let blocked = await Blocked { $0.then(on: .immediate) { _ in } }
    #expect(when(fulfilled: [blocked.promise]).result == .value([7]))
    #expect(when(first: [blocked.promise]).result == .value(7))
    #expect(blocked.promise.map(on: .immediate) { $0 + 1 }.result == .value(8))
    let (adopter, resolver) = IntPromise.makeWithResolver()
    resolver.resolve(with: blocked.promise)
    #expect(adopter.result == .value(7))
    await blocked.end()
  }

  @Test("2.5 2.7 a newcomer waits for earlier observers, and the resolving call starts one more list")
  func order() async {
    let (promise, resolver) = IntPromise.makeWithResolver()
    let log = Recorder<String>()
    let (begun, lastBegun, newcomer) = (Latch(), Latch(), Latch())
    let (first, last) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    promise.then(on: .immediate) { _ in
      begun.signal()
      first.wait()
      log.record("first")
    }
    promise.then(on: .immediate) { _ in
      log.record("last begins")
      lastBegun.signal()
      last.wait()
      log.record("last ends")
    }
    let done = Latch()
    Thread {
      resolver.fulfill(with: 7)
      log.record("resolved")
      done.signal()
    }.start()
    await begun.wait(for: "the first observer to begin")
    for name in ["a", "b"] { promise.then(on: .immediate) { _ in log.record(name) } }
    #expect(log.entries == [])
    first.signal()
    await lastBegun.wait(for: "the last observer to begin")
    // By now the resolving call has taken the two earlier observers, and takes no more.
    promise.then(on: .immediate) { _ in newcomer.signal() }
    log.record("registered")
    #expect(log.entries == ["first", "last begins", "registered"] && !newcomer.isOpen)
    last.signal()
    await done.wait(for: "the resolving call")
    #expect(log.entries.suffix(4) == ["last ends", "a", "b", "resolved"])
    await newcomer.wait(for: "the observer that a global queue is to start")
  }

  @Test("2.7 observers that register more observers continue on a global queue after two lists")
  func endless() async throws {
    let count = scaled(10_000)
    let entries = try await onOwnThread("observers that register others") {
      let (promise, resolver) = IntPromise.makeWithResolver()
      let log = Recorder<(number: Int, isHere: Bool)>()
      let (thread, started) = (currentThread, DispatchSemaphore(value: 0))
      @Sendable func register(_ number: Int) {
        promise.then(on: .immediate) { _ in
          if number < count { register(number + 1) }
        }
        promise.then(on: .immediate) { _ in
          log.record((number, currentThread == thread))
          started.signal()
        }
      }
      register(1)
      resolver.fulfill(with: 7)
      return (1...count).allSatisfy { _ in started.wait(timeout: .now() + waitLimit) == .success } ? log.entries : []
    }
    #expect(entries.map(\.number).sorted() == Array(1...count))
    #expect(entries.filter(\.isHere).map(\.number) == [1, 2])
  }
}
