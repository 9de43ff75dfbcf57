import Foundation
import Overmorrow
import OvermorrowTesting
import Testing

/// The samples in documentation comments that no guide has.
@Suite("18.4 the samples of documentation comments", .inTurn) struct CommentSamplesTests {
  @Test("2.1 Promise: one promise, a chain, and an error at its end")
  func promise() async {
    for isThere in [true, false] {
      let printed = Shown<String>()
      let print = printed.show
      @Sendable func loadGreeting() throws -> String {
        guard isThere else { throw Fault() }
        return "hello"
      }

      let greeting = Promise<String, any Error>(on: .utility) { resolver in
        resolver.fulfill(with: try loadGreeting())
      }
      greeting.map(on: .utility) { $0.uppercased() }
        .then { print($0) }
        .catch { print("no greeting: \($0)") }

      #expect(await printed.entries() == [isThere ? "HELLO" : "no greeting: Fault()"])
    }
  }

  @Test("1.9 completionHandler: an interface that reports a value or an error")
  func completionHandler() {
    @Sendable func find(_ place: String, completion: @escaping @Sendable (Int?, (any Error)?) -> Void) {
      place == "here" ? completion(1, nil) : completion(nil, CocoaError(.userCancelled))
    }
    func search(_ place: String) -> Promise<Int, any Error> {
      Promise(on: .immediate) { resolver in
        find(place, completion: resolver.completionHandler(isCancellation: { $0 is CocoaError }))
      }
    }
    #expect(search("here").result?.value == 1)
    #expect(search("there").result?.isCancelled == true)
  }

  @Test("1.11 LazyPromise: work that starts when it is asked for")
  func delayedPromise() async {
    let shown = Shown<Image>()
    let show = shown.show
    let rendered = Counter()
    @Sendable func render() throws -> Image {
      rendered.increment()
      return Image(name: "preview")
    }

    let preview = LazyPromise<Image, any Error>(on: .utility) { resolver in
      resolver.fulfill(with: try render())
    }
    // nothing has been rendered yet
    #expect(rendered.count == 0)
    preview.promise.then { show($0) }

    #expect(await shown.entries().map(\.name) == ["preview"])
    #expect(rendered.count == 1)
  }

  @Test("2.1 recover: a value instead of an error")
  func recover() throws {
    func load(_ url: URL) -> Promise<Image, any Error> { Promise(rejected: Fault()) }
    let url = try #require(URL(string: "stub:ada"))

    let avatar: Promise<Picture, Never> = load(url).recover(on: .immediate) { _ in .anonymous }

    #expect(avatar.result == .value(.anonymous))
  }

  @Test("4.1 PromiseInvalidationToken: the thumbnail asked for last is the one displayed")
  func token() async throws {
    let thumbnail = Thumbnail()
    thumbnail.show(try #require(URL(string: "stub:slow")))
    thumbnail.show(try #require(URL(string: "stub:quick")))
    #expect(await images.entries().map(\.name) == ["stub:quick"])
  }

  @Test("4.6 TokenPromise: a chain with one token")
  func tokenPromise() async {
    let shown = Shown<String>()
    let show = shown.show
    @Sendable func report(_ error: any Error) { show("error") }
    func fetchModel() -> Promise<String, any Error> { Promise(fulfilled: "model") }
    let token = PromiseInvalidationToken()

    fetchModel()
      .withToken(token)
      .then { show($0) }
      .catch { report($0) }

    #expect(await shown.entries() == ["model"])
  }

  @Test("2.1 PromiseExecutor: callbacks on an event loop")
  func executor() {
    let loop = ManualContext()
    let doubled = Promise<Int, Never>(fulfilled: 21).map(on: .executor(EventLoopExecutor(loop))) { 2 * $0 }
    #expect(doubled.result == nil)
    loop.runAll()
    #expect(doubled.result == .value(42))
  }
}

// MARK: - Samples that are declarations

private final class Thumbnail {
  private let token = PromiseInvalidationToken()

  func show(_ url: URL) {
    token.invalidate()  // what was being loaded is of no interest any more
    load(url).withToken(token).then { image in display(image) }
  }
}

private final class EventLoopExecutor: PromiseExecutor {
  let loop: any EventLoop
  init(_ loop: any EventLoop) { self.loop = loop }
  func enqueue(_ work: @escaping @Sendable () -> Void) { loop.execute(work) }
}

// MARK: - Stand-ins

private typealias Picture = Image

private let images = Shown<Image>()

private func display(_ image: Image) { images.show(image) }

/// What is slow to come never does: it is cancelled first.
private func load(_ url: URL) -> Promise<Image, Never> {
  let name = url.absoluteString
  return Promise(fulfilled: Image(name: name), after: name == "stub:slow" ? .seconds(3600) : .zero)
}

private protocol EventLoop: Sendable {
  func execute(_ work: @escaping @Sendable () -> Void)
}

extension ManualContext: EventLoop {
  fileprivate func execute(_ work: @escaping @Sendable () -> Void) { enqueue(work) }
}
