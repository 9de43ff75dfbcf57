import Foundation
import Overmorrow
import OvermorrowFlow
import Testing

/// The samples and the statements of the guide `Limiting.md`.
@Suite(.inTurn) struct LimitingGuideTests {
  @Test("13.2 a limiter runs all jobs and returns their results")
  func jobs() async throws {
    let urls = try (0..<20).map { try #require(URL(string: "stub:\($0)")) }
    @Sendable func fetch(_ url: URL) -> Promise<String, any Error> { Promise(fulfilled: url.absoluteString) }

    let limiter = PromiseLimiter(width: 4)
    let pages = when(fulfilled: urls.map { url in limiter.run(on: .utility) { fetch(url) } })

    #expect(await pages.outcome()?.value == urls.map(\.absoluteString))
  }

  @Test("13.3 13.6 13.9 a limiter takes priorities, requests to cancel and a new width")
  func adjusting() async throws {
    let url = try #require(URL(string: "stub:0"))
    let printed = Recorder<String>()
    let print = printed.record
    let (page, resolver) = Promise<String, any Error>.makeWithResolver()
    @Sendable func fetch(_ url: URL) -> Promise<String, any Error> { page.makeChild() }
    let isOnBattery = true
    let limiter = PromiseLimiter(width: 1)
    let first = limiter.run(on: .immediate) { fetch(url) }

    let urgent = limiter.run(on: .utility, priority: 1) { fetch(url) }

    #expect(limiter.pendingCount == 1)

    urgent.requestCancel()
    limiter.cancelAll()

    #expect(urgent.result?.isCancelled == true)
    #expect(first.result == nil)

    limiter.width = isOnBattery ? 2 : 8
    print("\(limiter.runningCount) running, \(limiter.pendingCount) waiting")

    #expect(printed.entries == ["1 running, 0 waiting"])
    resolver.fulfill(with: "page")
    #expect(first.result?.value == "page")
    #expect(limiter.runningCount == 0)
  }

  @Test("8.12 a job may be async")
  func limiting() async {
    let (url, service, limiter) = ("page", Service(), PromiseLimiter(width: 4))
    let download = service.page

    let page = limiter.run { try await download(url) }

    #expect(await page.outcome()?.value == "page!")
    do {
      let page = limiter.run { try await service.page(at: url) }
      #expect(await page.outcome()?.value == "page!")
    }
  }

  @Test("13.12 an async closure takes a turn in the caller's task")
  func turns() async throws {
    let (url, service, limiter) = ("page", Service(), PromiseLimiter(width: 4))

    let page = try await limiter.perform {
      try await service.page(at: url)
    }

    #expect(page == "page!")
  }

  @Test("13.16 13.18 a limiter takes limits for its queue, and new priorities")
  func limits() {
    let (gate, resolver) = Promise<String, any Error>.makeWithResolver()
    do {
      let limiter = PromiseLimiter(width: 8, maxPending: 100, maxWait: .seconds(2))
      #expect(limiter.run(on: .immediate) { Promise<Int, any Error>(fulfilled: 1) }.result?.value == 1)
    }
    let limiter = PromiseLimiter(width: 1)
    let first = limiter.run(on: .immediate) { gate }
    let picture = limiter.run(on: .immediate) { Promise<Int, any Error>(fulfilled: 1) }

    limiter.setPriority(2, of: picture)

    resolver.fulfill(with: "page")
    #expect((first.result?.value, picture.result?.value) == ("page", 1))
  }

  @Test("13.19 13.20 a limiter records for how long its jobs wait")
  func times() {
    let limiter = PromiseLimiter(width: 8, recordsTimes: true)
    let minuteAgo = limiter.waitTimes
    for number in 0..<3 { _ = limiter.run(on: .immediate) { Promise<Int, any Error>(fulfilled: number) } }

    let waits = limiter.waitTimes.since(minuteAgo)
    print(waits.count, waits.quantile(0.5) ?? .zero, waits.quantile(0.99) ?? .zero)

    #expect((waits.count, limiter.runTimes.count) == (3, 3))
  }
}
