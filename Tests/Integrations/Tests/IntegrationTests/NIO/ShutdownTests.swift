import NIOCore
import Testing

@testable import OvermorrowNIO

@Suite(.timeLimit(.minutes(1))) struct ShutdownTests {
  @Test("19.1 a watch on a loop learns of its shutdown, and of nothing if it is cancelled before")
  func watch() async throws {
    let calls = Recorder<String>()
    try await withLoop { loop, _ in
      loop.watchShutdown { _ in calls.record("cancelled") }.cancel()
      _ = loop.watchShutdown { _ in calls.record("shut down") }
    }
    #expect(await calls.entries == ["shut down"])
  }
}
