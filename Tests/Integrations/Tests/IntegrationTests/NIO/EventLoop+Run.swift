import NIOCore

extension EventLoop {
  /// The code that runs is on this loop: a hop would be one too many.
  func run<Output: Sendable>(_ body: @escaping @Sendable () throws -> Output) async throws -> Output {
    try await submit(body).get()
  }
}
