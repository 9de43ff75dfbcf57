import Overmorrow
import OvermorrowFlow
import Testing

/// The samples and the statements of the guide `Suspending.md`.
@Suite(.inTurn) struct SuspendingGuideTests {
  @Test("7.1 the guide's page is shown after its pause was suspended and resumed")
  func page() async {
    @Sendable func download(_ number: Int) -> Promise<String, any Error> { Promise(fulfilled: "\(number)") }
    @Sendable func parse(_ text: String) throws -> Int { text.count }
    let shown = Recorder<Int>()
    let (show, url) = (shown.record, 1)

    let pause = PromisePause()
    let page = download(url)
      .map(on: .utility.paused(by: pause)) { try parse($0) }
      .then(on: .main.paused(by: pause)) { show($0) }
    pause.suspend()
    pause.resume()

    #expect(await page.outcome()?.value == 1)
    #expect(shown.entries == [1])
  }

  private struct Connection: Sendable {
    let calls = Recorder<String>()

    func pause() { calls.record("pause") }
    func unpause() { calls.record("unpause") }
  }

  private final class Transfer: PromiseSuspendable {
    let connection: Connection

    init(_ connection: Connection) { self.connection = connection }

    func suspend() { connection.pause() }
    func resume() { connection.unpause() }
  }

  @Test("7.6 the guide's transfer is suspended and resumed with its pause")
  func transfer() {
    let (connection, pause) = (Connection(), PromisePause())
    let (data, resolver) = Promise<String, any Error>.makeWithResolver()
    pause.attach(Transfer(connection), until: data)
    pause.suspend()
    #expect(connection.calls.entries == ["pause"])
    pause.resume()
    #expect(connection.calls.entries == ["pause", "unpause"])
    resolver.cancel()
  }

  @Test("7.8 the guide's jobs that have not begun let others go first")
  func jobs() async {
    @Sendable func load(_ number: Int) -> Promise<Int, Never> { Promise(fulfilled: number) }
    let (limiter, pause) = (PromiseLimiter(width: 1), PromisePause())
    pause.suspend()
    let preview = limiter.run(on: .utility.paused(by: pause)) { load(1) }  // Lets the next one go first.
    let page = limiter.run(on: .utility) { load(2) }
    #expect(await page.outcome() == .value(2))
    #expect(preview.result == nil)
    pause.resume()
    #expect(await preview.outcome() == .value(1))
  }

  @Test("7.9 the guide's screen is suspended with its app")
  func within() {
    let app = PromisePause()
    let screen = PromisePause(within: app)
    app.suspend()
    #expect(screen.isSuspended)
    app.resume()
    #expect(!screen.isSuspended)
  }
}
