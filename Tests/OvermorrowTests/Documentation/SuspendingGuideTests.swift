import Overmorrow
import Testing

/// The samples of the guide `Suspending.md`, and what it says of them.
@Suite(.inTurn) struct SuspendingGuideTests {
  private final class Connection: Sendable {
    let calls = Recorder<String>()
    let isConnected = Latch()
    private let callback = Holder<@Sendable (String) -> Void>()

    func pause() { calls.record("pause") }
    func unpause() { calls.record("unpause") }
    func close() { calls.record("close") }

    func onEnd(_ callback: @escaping @Sendable (String) -> Void) {
      self.callback.value = callback
      isConnected.signal()
    }

    func end(_ text: String) {
      callback.value?(text)
      callback.value = nil
    }
  }

  private final class Transfer: PromiseSuspendable {
    let connection: Connection

    init(_ connection: Connection) { self.connection = connection }

    func suspend() { connection.pause() }
    func resume() { connection.unpause() }
    func cancel() { connection.close() }
  }

  @Test("7.1 7.3 a suspended promise goes on when it is resumed, and settles at once when it is cancelled")
  func guide() async {
    @Sendable func render(_ text: String) -> String { "<\(text)>" }
    let connection = Connection()
    let data = Promise<String, any Error>(on: .utility) { resolver in
      resolver.attach(Transfer(connection))
      connection.onEnd { text in resolver.fulfill(with: text) }
    }
    await connection.isConnected.wait(for: "the connection")
    let page = data.map(on: .utility) { render($0) }
    page.suspend()
    #expect(connection.calls.entries == ["pause"])
    page.resume()
    #expect(connection.calls.entries == ["pause", "unpause"])
    do {
      let page = data.map(on: .utility) { render($0) }
      page.suspend()
      page.requestCancel()  // page.result is .cancelled
      #expect(page.result?.isCancelled == true)
    }
    connection.end("text")
    #expect(await page.outcome()?.value == "<text>")
  }

  @Test("7.8 a suspended job that has not begun lets the other one go first")
  func jobs() async {
    @Sendable func load(_ number: Int) -> Promise<Int, Never> { Promise(fulfilled: number) }
    let limiter = PromiseLimiter(width: 1)
    let (first, second) = (limiter.run(on: .utility) { load(1) }, limiter.run(on: .utility) { load(2) })
    first.suspend()  // Keeps its place if it has begun; otherwise the second one goes first.
    first.resume()
    #expect(await first.outcome() == .value(1))
    #expect(await second.outcome() == .value(2))
  }

  @Test("7.2 the sample of the comment")
  func comment() async {
    let url = 1
    @Sendable func download(_ number: Int) -> Promise<String, any Error> { Promise(fulfilled: "\(number)") }
    @Sendable func parse(_ text: String) throws -> Int { text.count }
    let page = download(url).map(on: .utility) { try parse($0) }
    page.suspend()  // The download pauses.
    page.resume()
    #expect(await page.outcome()?.value == 1)
  }
}
