import Foundation
import Overmorrow
import Testing

/// The samples of the guide `Cancellation.md`, and what it says of them.
@Suite(.inTurn) struct CancellationGuideTests {
  // MARK: Asking, and being asked

  @Test("1.10 a handler stops the work that it is asked to stop")
  func handler() {
    let stopped = Counter()
    @Sendable func startDownload(_ report: @escaping @Sendable (String) -> Void) -> Download {
      Download(report: report) { stopped.increment() }
    }

    let page = Promise<String, any Error>(on: .immediate) { resolver in
      let download = startDownload { resolver.fulfill(with: $0) }
      resolver.onRequestCancel(on: .immediate) { resolver in
        download.stop()
        resolver.cancel()
      }
    }
    page.requestCancel()

    #expect(stopped.count == 1)
    #expect(page.result?.isCancelled == true)
  }

  @Test("1.10 work that polls sees the request and stops")
  func polling() async {
    @Sendable func isLucky(_ number: Int) -> Bool { number < 0 }

    let search = Promise<Int, Never>(on: .utility) { resolver in
      var number = 1
      while !isLucky(number) {
        if resolver.hasRequestedCancel { return resolver.cancel() }
        number += 1
      }
      resolver.fulfill(with: number)
    }
    search.requestCancel()

    #expect(await search.outcome() == .cancelled)
  }

  @Test("3.1 a request is a question: a producer that does not listen resolves as ever")
  func deaf() {
    let (answer, resolver) = Promise<Int, Never>.makeWithResolver()
    answer.requestCancel()
    #expect(answer.result == nil && resolver.hasRequestedCancel)
    resolver.fulfill(with: 42)
    #expect(answer.result == .value(42))
  }

  // MARK: Votes

  @Test("3.2 a load is cancelled when both who want something of it have asked, and not before")
  func twoChildren() {
    let probe = Probe()
    @Sendable func fetchPage() -> Promise<String, any Error> { probe.promise() }

    func start() -> (Promise<Int, any Error>, Promise<[Substring], any Error>) {
      let page = fetchPage()
      let length = page.map { $0.count }
      let lines = page.map { $0.split(separator: "\n") }
      return (length, lines)
    }

    let (length, lines) = start()
    length.requestCancel()  // the load goes on: `lines` still wants it
    #expect(probe.requests == 0)
    lines.requestCancel()  // nobody wants it any more: the load is asked to cancel
    #expect(probe.requests == 1)
    #expect(length.result?.isCancelled == true && lines.result?.isCancelled == true)
  }

  @Test("3.2 a promise that somebody holds, or that never had a child, is not cancelled by votes")
  func held() {
    let probe = Probe()
    var page: Promise<String, any Error>? = probe.promise()
    let length = page?.map(on: .immediate) { $0.count }
    length?.requestCancel()
    #expect(probe.requests == 0)
    page = nil
    #expect(probe.requests == 1)

    let other = Probe()
    _ = other.promise()
    #expect(other.requests == 0)
  }

  @Test("3.3 the operators vote as the guide's table says", arguments: Row.all)
  func table(row: Row) {
    // Without other children: does a request to this operator's promise go up?
    let alone = Probe()
    let child = row.child(alone.promise())
    child.requestCancel()
    #expect((alone.requests == 1) == row.passesOn)

    // Another child has asked: does this operator keep the request from going up?
    let shared = Probe()
    let (silent, sibling) = { promise in
      (row.child(promise), promise.then(on: .immediate) { _ in })
    }(shared.promise())
    sibling.requestCancel()
    #expect((shared.requests == 0) == row.blocks)
    withExtendedLifetime(silent) {}
  }

  /// A promise without its types.
  struct Asking: Sendable {
    let requestCancel: @Sendable () -> Void
  }

  struct Row: Sendable, CustomTestStringConvertible {
    let name: String
    let passesOn: Bool
    let blocks: Bool
    let child: @Sendable (Promise<String, any Error>) -> Asking

    var testDescription: String { name }

    static func row<Value, Failure>(
      _ name: String, passesOn: Bool = true, blocks: Bool = true,
      _ child: @escaping @Sendable (Promise<String, any Error>) -> Promise<Value, Failure>
    ) -> Row {
      Row(name: name, passesOn: passesOn, blocks: blocks) { promise in
        let child = child(promise)
        return Asking(requestCancel: { child.requestCancel() })
      }
    }

    static let all = [
      row("then") { $0.then(on: .immediate) { _ in } },
      row("catch") { $0.catch(on: .immediate) { _ in } },
      row("always") { $0.always(on: .immediate) { _ in } },
      row("map") { $0.map(on: .immediate) { $0 } },
      row("flatMap") { $0.flatMap(on: .immediate) { Promise(fulfilled: $0) } },
      row("mapError") { $0.mapError(on: .immediate) { $0 } },
      row("flatMapError") { $0.flatMapError(on: .immediate) { Promise<_, any Error>(rejected: $0) } },
      row("recover") { $0.recover(on: .immediate) { _ in "" } },
      row("mapResult") { $0.mapResult(on: .immediate) { $0 } },
      row("flatMapResult") { $0.flatMapResult(on: .immediate) { Promise(with: $0) } },
      row("upcast") { $0.upcast },
      row("makeChild") { $0.makeChild() },
      row("propagatingCancellation") { $0.propagatingCancellation(on: .immediate) { _ in } },
      row("delay") { $0.delay(on: .immediate, .seconds(3600)) },
      row("timeout") { $0.timeout(on: .immediate, .seconds(3600)) as Promise<String, any Error> },
      row("when(fulfilled:)") { when(fulfilled: [$0]) },
      row("when(first:)") { when(first: [$0]) },
      row("flatMap's inner promise") { inner in
        Promise<Int, any Error>(fulfilled: 1).flatMap(on: .immediate) { _ in inner }
      },
      row("onCancel", blocks: false) { $0.onCancel(on: .immediate) {} },
      row("tap()", passesOn: false, blocks: false) { $0.tap() },
      row("ignoringCancel", passesOn: false) { $0.ignoringCancel() },
    ]
  }

  // MARK: Holding on

  @Test("3.5 a cancellable asks without keeping the promise")
  func cancellable() {
    let probe = Probe()
    @Sendable func fetchPage() -> Promise<String, any Error> { probe.promise() }

    func start() -> PromiseCancellable {
      let length = fetchPage().map { $0.count }
      length.then { print($0) }
      return length.cancellable
    }
    let download = start()
    download.requestCancel()

    #expect(probe.requests == 1)
  }

  @Test("3.4 one load serves all who want a picture, and is cancelled when the last of them has asked")
  @MainActor func sharing() async throws {
    let url = try #require(URL(string: "stub:ada"))
    let started = Recorder<Probe>()
    let store = PictureStore { _ in
      let probe = Probe()
      started.record(probe)
      return probe.promise()
    }

    let first = store.picture(at: url)
    let second = store.picture(at: url)
    #expect(started.entries.count == 1)
    first.requestCancel()
    second.requestCancel()
    #expect(await second.outcome()?.isCancelled == true)
    #expect(started.entries.map(\.requests) == [1])

    let third = store.picture(at: url)
    #expect(started.entries.count == 2 && third.result == nil)
  }

  // MARK: Without a request

  @Test("1.4 a promise whose resolver goes unused is cancelled")
  func droppedResolver() {
    let forgotten = Promise<Int, Never>(on: .immediate) { _ in }
    #expect(forgotten.result == .cancelled)
  }
}

// MARK: - Samples that are declarations

@MainActor
private final class PictureStore {
  private let fetch: (URL) -> Promise<String, any Error>
  private var loads: [URL: Promise<String, any Error>] = [:]

  init(fetch: @escaping (URL) -> Promise<String, any Error>) { self.fetch = fetch }

  func picture(at url: URL) -> Promise<String, any Error> {
    if let load = loads[url] { return load.makeChild() }
    let load = fetch(url).propagatingCancellation { [weak self] promise in
      if self?.loads[url] == promise { self?.loads[url] = nil }
    }
    loads[url] = load
    return load.makeChild()
  }
}

// MARK: - Stand-ins

private final class Download: Sendable {
  private let report: @Sendable (String) -> Void
  private let onStop: @Sendable () -> Void

  init(report: @escaping @Sendable (String) -> Void, onStop: @escaping @Sendable () -> Void) {
    self.report = report
    self.onStop = onStop
  }

  func stop() { onStop() }
}

/// A producer that counts how often it is asked to cancel, and does.
private final class Probe: Sendable {
  private let counter = Counter()
  private let resolvers = Guarded<[Promise<String, any Error>.Resolver]>([])

  var requests: Int { counter.count }

  func promise() -> Promise<String, any Error> {
    let (promise, resolver) = Promise<String, any Error>.makeWithResolver()
    resolver.onRequestCancel(on: .immediate) { [counter] resolver in
      counter.increment()
      resolver.cancel()
    }
    resolvers.withLock { $0.append(resolver) }
    return promise
  }
}
