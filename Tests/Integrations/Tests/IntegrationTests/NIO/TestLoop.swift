import NIOCore
import NIOPosix

/// An event loop of its own, for as long as a test needs it.
func withLoop(_ body: (_ loop: any EventLoop, _ group: MultiThreadedEventLoopGroup) async throws -> Void) async throws {
  let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
  do {
    try await body(group.next(), group)
  } catch {
    try? await group.shutdownGracefully()
    throw error
  }
  try await group.shutdownGracefully()
}

extension EventLoop {
  /// The code that runs is on this loop: a hop would be one too many.
  func run<Output: Sendable>(_ body: @escaping @Sendable () throws -> Output) async throws -> Output {
    try await submit(body).get()
  }
}

struct Fault: Error, Equatable {}
