import Overmorrow
import Testing

/// The samples and the statements of the guide `BlockingWaits.md`.
@Suite(.inTurn) struct BlockingWaitsGuideTests {
  private let shown = Recorder<String>()

  private func show(_ text: String) { shown.record(text) }

  @Test("8.4 a thread waits for a file")
  func waiting() throws {
    func readFile(_ name: String) -> Promise<String, any Error> { Promise(fulfilled: "text of \(name)") }
    let text = try readFile("notes.txt").wait()
    #expect(text == "text of notes.txt")
  }

  @Test("8.4 a wait for a page that does not arrive times out and requests cancellation")
  func timeout() async throws {
    let probe = CancelProbe<String, any Error>()
    @Sendable func fetchPage() -> Promise<String, any Error> { probe.take() }
    @Sendable func load() throws {
      do {
        show(try fetchPage().wait(timeout: .milliseconds(20)))
      } catch PromiseWaitError.timedOut {
        show("The server does not answer.")
      }
    }
    try await onOwnThread("the wait") { () -> Void in #expect(throws: Never.self) { try load() } }
    #expect(shown.entries == ["The server does not answer."])
    #expect(probe.requestCount == 1)
  }

  @Test("8.4 the main queue does not wait for itself")
  @MainActor func deadlock() throws {
    func fetchPage() -> Promise<String, any Error> { Promise(fulfilled: "page") }
    let title = fetchPage().map(on: .main) { $0.uppercased() }
    do {
      show(try title.wait())  // on the main queue
    } catch PromiseWaitError.deadlock {
      show("The main queue would wait for itself.")
    }
    #expect(shown.entries == ["The main queue would wait for itself."])
  }
}
