import Dispatch
import Foundation
import Overmorrow
import Testing

/// Those who register while a promise hands out its result.
@Suite(.inTurn) struct LatecomersTests {
  private typealias IntPromise = Promise<Int, Never>

  /// What is shared by threads that register on one promise as fast as they can.
  private final class Flood: Sendable {
    let promise: IntPromise
    let resolver: IntPromise.Resolver
    let isOver = Latch()
    let registered = Counter()
    let started = Counter()

    init() { (promise, resolver) = IntPromise.makeWithResolver() }

    func register(on context: PromiseContext) {
      while !isOver.isOpen {
        promise.then(on: context) { _ in self.started.increment() }
        registered.increment()
      }
    }
  }

  /// Contexts on which a thread floods a promise, and how many threads do so.
  private static let floods: [(PromiseContext, Int)] = [
    (.immediate, 2), (.nowOr(.utility), 2), (.utility, 1), (.queue(DispatchQueue(label: "serial")), 2),
    (.executor(InlineExecutor()), 1),
  ]

  @Test("2.7 the resolving call returns while others keep registering, and everybody is started once", arguments: 0..<5)
  func flood(kind: Int) async throws {
    let (context, threads) = Self.floods[kind]
    let flood = Flood()
    let done = Latch(threads)
    for _ in 0..<threads {
      Thread {
        flood.register(on: context)
        done.signal()
      }.start()
    }
    while flood.registered.count < 1000 { await Task.yield() }
    let hasResolved = Latch()
    Thread {
      flood.resolver.fulfill(with: 7)
      hasResolved.signal()
    }.start()
    await hasResolved.wait(for: "the resolving call, while \(threads) threads register", within: .seconds(20))
    flood.isOver.signal()
    await done.wait(for: "the threads that register")
    // Whatever was handed to a queue comes before this, as it was registered earlier.
    _ = await flood.promise.map(on: context) { $0 }.outcome()
    for _ in 0..<1000 where flood.started.count < flood.registered.count {
      _ = await IntPromise(on: .background) { $0.fulfill(with: 1) }.outcome()
    }
    #expect(flood.started.count == flood.registered.count)
  }

  // MARK: Beside a callback that runs

  /// Resolves a promise on a thread of its own, whose last observer runs until it is told to return.
  private struct Blocked: Sendable {
    let promise: IntPromise
    let release = DispatchSemaphore(value: 0)
    let log = Recorder<String>()
    private let done = Latch()

    /// - Parameter added: Registers something more in front of the observer that blocks.
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
    "2.7 2.8 while the last observer runs on another thread, an observer runs inside the call that registers it",
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

  @Test("2.7 two observers of one promise, of which the first waits for the second, do not hang")
  func waitingForTheNext() async {
    let (promise, resolver) = IntPromise.makeWithResolver()
    let (begun, second, done) = (Latch(), DispatchSemaphore(value: 0), Latch())
    promise.then(on: .immediate) { _ in
      begun.signal()
      if second.wait(timeout: .now() + patience) == .success { done.signal() }
    }
    Thread { resolver.fulfill(with: 7) }.start()
    await begun.wait(for: "the first observer to begin")
    promise.then(on: .immediate) { _ in second.signal() }
    await done.wait(for: "the first observer, which waits for the second")
  }

  @Test("2.5 2.7 as long as one is left to be started, a newcomer waits; then it runs inside its call")
  func order() async {
    let (promise, resolver) = IntPromise.makeWithResolver()
    let log = Recorder<String>()
    let (begun, lastBegun) = (Latch(), Latch())
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
    // Starts those that wait, in order, then its own.
    promise.then(on: .immediate) { _ in log.record("c") }
    log.record("registered")
    #expect(log.entries == ["first", "last begins", "a", "b", "c", "registered"])
    last.signal()
    await done.wait(for: "the resolving call")
    #expect(log.entries.suffix(2) == ["last ends", "resolved"])
  }

  @Test("2.7 those who came while one was left to be started run at the latest in the resolving call")
  func served() async throws {
    let entries = try await onOwnThread("a resolution that others have joined") {
      let (promise, resolver) = IntPromise.makeWithResolver()
      let log = Recorder<String>()
      promise.then(on: .immediate) { [promise] _ in
        for name in ["a", "b"] {
          promise.then(on: .immediate) { _ in log.record(name) }.then(on: .immediate) { _ in log.record(name + name) }
        }
      }
      promise.then(on: .immediate) { [promise] _ in
        promise.then(on: .immediate) { _ in log.record("c") }
        log.record("last")
      }.then(on: .immediate) { _ in log.record("child") }
      resolver.fulfill(with: 7)
      log.record("resolved")
      return log.entries
    }
    #expect(entries == ["a", "aa", "b", "bb", "c", "last", "child", "resolved"])
  }

  @Test("8.4 a wait for an observer that this thread is to start later ends with an error, also deeper in the pass")
  func wouldWaitForItself() async throws {
    let failure = try await onOwnThread("a wait inside a callback") {
      let (promise, resolver) = IntPromise.makeWithResolver()
      let failure = Recorder<PromiseWaitError>()
      let later = Holder<IntPromise>()
      promise.map(on: .immediate) { $0 }.then(on: .immediate) { _ in
        do { _ = try later.value?.waitForResult() } catch let error as PromiseWaitError { failure.record(error) } catch
        {}
      }
      later.value = promise.map(on: .immediate) { $0 + 1 }
      resolver.fulfill(with: 7)
      return failure.entries
    }
    #expect(failure == [.deadlock])
  }
}

/// Runs what it is given at once.
private final class InlineExecutor: PromiseExecutor {
  func enqueue(_ work: @escaping @Sendable () -> Void) { work() }
}
