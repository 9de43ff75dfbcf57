import Overmorrow
import Testing

/// The samples of the guide `Suspending.md`, and what it says of them.
@Suite(.inTurn) struct SuspendingGuideTests {
  private final class Connection: Sendable {
    let calls = Recorder<String>()

    func pause() { calls.record("pause") }
    func unpause() { calls.record("unpause") }
    func close() { calls.record("close") }
  }

  private final class Transfer: Suspendable {
    private let connection: Connection
    let finish: @Sendable (String) -> Void

    init(_ connection: Connection, _ finish: @escaping @Sendable (String) -> Void) {
      self.connection = connection
      self.finish = finish
    }

    func suspend() { connection.pause() }
    func resume() { connection.unpause() }
    func cancel() { connection.close() }
  }

  @Test("a suspended promise goes on when it is resumed, and settles at once when it is cancelled")
  func guide() async {
    @Sendable func render(_ text: String) -> String { "<\(text)>" }
    let connection = Connection()
    let transfers = Holder<Transfer>()
    let data = Promise<String, any Error>(on: .immediate) { resolver in
      let transfer = Transfer(connection) { resolver.fulfill(with: $0) }
      resolver.attach(transfer)
      transfers.value = transfer
    }
    let page = data.map(on: .utility) { render($0) }
    page.suspend()
    #expect(connection.calls.entries == ["pause"])
    page.resume()
    #expect(connection.calls.entries == ["pause", "unpause"])
    let other = data.makeChild()
    other.suspend()
    other.requestCancel()
    #expect(other.result?.isCancelled == true)
    transfers.value?.finish("text")
    #expect(await page.outcome()?.value == "<text>")
    transfers.value = nil
  }
}
