import AsyncHTTPClient
import Logging
import LoopbackServer
import NIOCore
import NIOPosix
import Overmorrow
import OvermorrowAsyncHTTPClient
import OvermorrowCombine
import OvermorrowFoundation
import OvermorrowLogging
import OvermorrowMetrics
import OvermorrowNIO
import OvermorrowTesting
import ServiceContextModule
import Testing

#if canImport(Combine)
  import Combine
#else
  import OpenCombine
#endif

/// The samples of the guide to other packages, and of the comments of their modules.
@Suite(.timeLimit(.minutes(1))) struct IntegrationsGuideTests {
  @Test("19.1 the guide's reply is parsed on the loop")
  func eventLoops() async throws {
    let reply = "ok"
    @Sendable func parse(_ reply: String) throws -> String { reply }
    let channel = (eventLoop: MultiThreadedEventLoopGroup.singleton.next(), ())
    let answer = channel.eventLoop.submit { try parse(reply) }.promise()
      .map(on: .eventLoop(channel.eventLoop)) { $0.uppercased() }
    let future = answer.future(on: channel.eventLoop)
    #expect(try await future.get() == "OK")
  }

  @Test("19.2 the guide's session fetches by the client")
  func client() async throws {
    let server = try TestServer.answering("200 OK", [], "hello")
    let session = NetworkSession(transport: AsyncHTTPClientTransport(HTTPClient.shared))
    #expect(await expectFulfilled(session.fetch(server.address()), within: patience)?.text == "hello")
  }

  @Test("19.3 the guide's logger handles diagnostics")
  func logs() {
    let (handler, level) = (PromiseDiagnostics.handler, PromiseDiagnostics.level)
    defer { (PromiseDiagnostics.handler, PromiseDiagnostics.level) = (handler, level) }
    PromiseDiagnostics.handler = Logger(label: "promises").diagnosticsHandler()
    PromiseDiagnostics.level = .report
    #expect(PromiseDiagnostics.handler != nil)
  }

  @Test("19.4 the guide's limiter, cache and policy are measured, and work as before")
  func metrics() async {
    let limiter = PromiseLimiter(width: 1)
    let images = PromiseCache<Int, Int, any Error>()
    limiter.recordMetrics(label: "downloads")
    images.recordMetrics(label: "images")
    let policy = PromiseRetryPolicy<any Error>(attempts: 4).recordingMetrics(label: "pages")
    let image = images.promise(for: 1, on: .immediate) { key in
      limiter.run(on: .immediate) { Promise.retry(policy, on: .immediate) { _ in Promise(fulfilled: key) } }
    }
    #expect(await expectFulfilled(image, within: patience) == 1)
  }

  @Test("2.27 the guide's page is parsed with the service context")
  func traces() throws {
    let url = "https://example.org/"
    func load(_ url: String) -> Promise<String, any Error> { Promise(fulfilled: url) }
    @Sendable func parse(_ text: String) throws -> Bool { ServiceContext.current != nil }
    try ServiceContext.withValue(.topLevel) {
      let page = load(url)
        .map(on: .utility.carrying(ServiceContext.$current)) { try parse($0) }
      let isThere = try page.wait()
      #expect(isThere)
    }
  }

  @Test("19.5 the guide's publisher is shown")
  func publishers() {
    var shown: [String] = []
    func show(_ any: Any) { shown.append("\(any)") }
    let publisher = Just(7)
    let first = publisher.firstPromise()
    let subscription = first.publisher.sink(receiveCompletion: { show($0) }, receiveValue: { show($0) })
    #expect(shown == ["7", "finished"])
    subscription.cancel()
  }
}
