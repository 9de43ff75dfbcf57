import NIOCore
import NIOPosix
import Overmorrow
import Testing

@testable import OvermorrowNIO

@Suite(.timeLimit(.minutes(1))) struct EventLoopContextTests {
  private let loop = MultiThreadedEventLoopGroup.singleton.next()

  @Test("19.1 callbacks run on the thread of their loop")
  func order() async throws {
    let (promise, resolver) = Promise<Int, any Error>.makeWithResolver()
    let steps =
      promise
      .map(on: .eventLoop(loop)) { value in (value, loop.inEventLoop) }
      .map(on: .eventLoop(loop)) { value, isOnLoop in (value + 1, isOnLoop && loop.inEventLoop) }
    resolver.fulfill(with: 1)
    let (value, isOnLoop) = try await steps.value
    #expect(value == 2 && isOnLoop)
  }

  @Test("19.1 an available result is delivered at once, without a turn of the loop")
  func now() async throws {
    let result = try await loop.submit {
      Promise<Int, any Error>(fulfilled: 1).map(on: .nowOr(.eventLoop(loop))) { $0 + 1 }.result
    }.get()
    #expect(result?.value == 2)
  }

  @Test("19.1 a callback on a loop that was shut down cancels its promise without running")
  func shutDown() async throws {
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    let loop = group.next()
    let (promise, resolver) = Promise<Int, any Error>.makeWithResolver()
    let next = promise.map(on: .eventLoop(loop)) { $0 + 1 }
    try await group.shutdownGracefully()
    resolver.fulfill(with: 1)
    #expect(await next.finalResult.isCancelled)
  }

  @Test("19.1 only a watch that is not cancelled is notified of the loop's shutdown")
  func watch() async throws {
    let calls = Recorder<String>()
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    group.next().watchShutdown { _ in calls.record("cancelled") }.cancel()
    _ = group.next().watchShutdown { _ in calls.record("shut down") }
    try await group.shutdownGracefully()
    #expect(await calls.entries == ["shut down"])
  }
}
