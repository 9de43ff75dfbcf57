import Foundation
import Overmorrow
import Testing

/// The samples of the guide `Cancellation.md`. `CoreTests` covers its other statements.
@Suite(.inTurn) struct CancellationGuideTests {
  // MARK: Requests

  @Test("1.10 a handler stops the work that it is asked to stop")
  func handler() {
    let stopped = Counter()
    @Sendable func startDownload(_ report: @escaping @Sendable (String) -> Void) -> Download {
      Download { withExtendedLifetime(report) { _ = stopped.increment() } }
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

  // MARK: Votes

  @Test("3.2 a load is cancelled only when both of its users have asked to cancel")
  func twoChildren() {
    let probe = Probe(complying: true)
    @Sendable func fetchPage() -> Promise<String, any Error> { probe.take() }

    func start() -> (Promise<Int, any Error>, Promise<[Substring], any Error>) {
      let page = fetchPage()
      let length = page.map { $0.count }
      let lines = page.map { $0.split(separator: "\n") }
      return (length, lines)
    }

    let (length, lines) = start()
    length.requestCancel()  // the load goes on: `lines` still wants it
    #expect(probe.requestCount == 0)
    lines.requestCancel()  // no caller wants it any more: the load is asked to cancel
    #expect(probe.requestCount == 1)
    #expect(length.result?.isCancelled == true && lines.result?.isCancelled == true)
  }

  // MARK: Handles

  @Test("3.5 a cancellable requests cancellation without retaining the promise")
  func cancellable() {
    let probe = Probe()
    @Sendable func fetchPage() -> Promise<String, any Error> { probe.take() }

    func start() -> PromiseCancellable {
      let length = fetchPage().map { $0.count }
      length.then { print($0) }
      return length.cancellable
    }
    let download = start()
    download.requestCancel()

    #expect(probe.requestCount == 1)
  }

  @Test("3.4 callers of one picture share a load, which the last request cancels")
  @MainActor func sharing() async throws {
    let url = try #require(URL(string: "stub:ada"))
    let started = Recorder<Probe>()
    let store = PictureStore { _ in
      let probe = Probe(complying: true)
      started.record(probe)
      return probe.take()
    }

    let first = store.picture(at: url)
    let second = store.picture(at: url)
    #expect(started.entries.count == 1)
    first.requestCancel()
    second.requestCancel()
    #expect(await second.outcome()?.isCancelled == true)
    #expect(started.entries.map(\.requestCount) == [1])

    let third = store.picture(at: url)
    #expect(started.entries.count == 2 && third.result == nil)
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

private typealias Probe = CancelProbe<String, any Error>

private struct Download: Sendable {
  let stop: @Sendable () -> Void
}
