import Overmorrow
import Testing

/// The samples of the guide `Combining.md`, and what it says of them.
@Suite struct CombiningGuideTests {
  // MARK: All of them

  @Test("5.1 when(fulfilled:) gives the values in order, however the inputs come")
  func fulfilled() {
    let slow = Promise<String, any Error>.makeWithResolver()
    let quick = Promise<String, any Error>.makeWithResolver()
    let shown = Recorder<[String]>()
    @Sendable func show(_ pages: [String]) { shown.record(pages) }
    func fetchPage(_ number: Int) -> Promise<String, any Error> { number == 1 ? slow.0 : quick.0 }

    let pages = (1...2).map { fetchPage($0) }
    when(fulfilled: pages).then(on: .immediate) { pages in show(pages) }

    quick.1.fulfill(with: "two")
    #expect(shown.entries == [])
    slow.1.fulfill(with: "one")
    #expect(shown.entries == [["one", "two"]])
  }

  @Test("5.1 when(fulfilled:) takes promises of different types, too")
  func pack() {
    func fetchUser() -> Promise<String, any Error> { Promise(fulfilled: "Ada") }
    func fetchUnreadCount() -> Promise<Int, any Error> { Promise(fulfilled: 3) }

    let title = when(fulfilled: fetchUser(), fetchUnreadCount()).map(on: .immediate) { user, unread in
      "\(user) (\(unread))"
    }

    #expect(title.result?.value == "Ada (3)")
  }

  @Test("5.1 the first input that fails decides, and asks the others to cancel if it is to")
  func failing() {
    let asked = Recorder<Int>()
    let inputs = (0..<3).map { index in
      let (promise, resolver) = Promise<Int, Fault>.makeWithResolver()
      resolver.onRequestCancel(on: .immediate) { resolver in
        asked.record(index)
        resolver.cancel()
      }
      return (promise: promise, resolver: resolver)
    }
    let parts = inputs.map(\.promise)

    let whole = when(fulfilled: parts, cancelOnFailure: true)

    inputs[1].resolver.reject(with: Fault())
    #expect(whole.result == .error(Fault()))
    #expect(asked.entries == [0, 2])
    withExtendedLifetime(inputs) {}
  }

  // MARK: The first of them

  @Test("5.2 when(first:) takes the first that is fulfilled or rejected, and ignores the cancelled")
  func first() {
    let mirrors = (0..<3).map { _ in Promise<String, any Error>.makeWithResolver() }
    let asked = Counter()
    for mirror in mirrors { mirror.1.onRequestCancel(on: .immediate) { _ in asked.increment() } }
    let downloads = mirrors.map(\.0)

    let fastest = when(first: downloads, cancelRemaining: true)

    mirrors[2].1.cancel()
    #expect(fastest.result == nil)
    mirrors[1].1.fulfill(with: "page")
    #expect(fastest.result?.value == "page")
    #expect(asked.count == 1)
    withExtendedLifetime(mirrors) {}
  }

  @Test("5.2 all cancelled, or none there, is cancelled")
  func allCancelled() {
    #expect(when(first: [Promise<Int, Fault>(with: .cancelled)]).result == .cancelled)
    #expect(when(first: [] as [Promise<Int, Fault>]).result == .cancelled)
    #expect(when(fulfilled: [] as [Promise<Int, Fault>]).result == .value([]))
  }

  // MARK: Whatever they become

  @Test("5.3 with results as values, when waits for the last, whatever becomes of it")
  func settled() {
    let (last, resolver) = Promise<Int, Fault>.makeWithResolver()
    let promises = [last, Promise(rejected: Fault()), Promise(with: .cancelled)]

    let results = when(
      fulfilled: promises.map { promise in
        promise.mapResult(on: .immediate) { PromiseResult<_, Never>.value($0) }
      })

    #expect(results.result == nil)
    resolver.fulfill(with: 1)
    #expect(results.result == .value([.value(1), .error(Fault()), .cancelled]))
  }

  // MARK: Cancelling

  @Test("3.6 a request to cancel is one vote on each input")
  func votes() {
    let asked = Recorder<String>()
    func part(_ name: String) -> Promise<Int, Fault> {
      let (promise, resolver) = Promise<Int, Fault>.makeWithResolver()
      resolver.onRequestCancel(on: .immediate) { resolver in
        asked.record(name)
        resolver.cancel()
      }
      // Kept by a child that has no vote, so that it is not dropped.
      promise.tap(on: .immediate) { _ in withExtendedLifetime(resolver) {} }
      return promise
    }
    let shared = part("shared")
    let whole = when(fulfilled: [part("own"), shared])
    whole.requestCancel()
    #expect(asked.entries == ["own"])
    #expect(whole.result == .cancelled)
    withExtendedLifetime(shared) {}
  }
}

// MARK: - Stand-ins

private struct Fault: Error, Equatable {}
