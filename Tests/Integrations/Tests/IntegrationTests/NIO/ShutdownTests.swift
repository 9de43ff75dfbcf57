import NIOCore
import NIOPosix
import Testing

@testable import OvermorrowNIO

@Suite(.timeLimit(.minutes(1))) struct ShutdownTests {
  @Test("19.1 a watch on a loop learns of its shutdown, and of nothing if it is cancelled before")
  func watch() async throws {
    let calls = Recorder<String>()
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    group.next().watchShutdown { _ in calls.record("cancelled") }.cancel()
    _ = group.next().watchShutdown { _ in calls.record("shut down") }
    try await group.shutdownGracefully()
    #expect(await calls.entries == ["shut down"])
  }
}
