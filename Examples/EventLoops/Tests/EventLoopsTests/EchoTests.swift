import NIOCore
import NIOPosix
import Overmorrow
import OvermorrowNIO
import Testing

@testable import EventLoops

/// Requests over loopback, through promises.
@Suite(.timeLimit(.minutes(1))) struct EchoTests {
  private let group = MultiThreadedEventLoopGroup.singleton

  @Test("a client connects to a server, sends questions and receives their answers")
  func echo() async throws {
    let server = try await EchoServer.start(on: group).value
    let client = try await EchoClient.connect(to: server.channel.localAddress, on: group).value

    let lines = ["Saturn", "Titan", "Rhea"]
    let answers = try await when(fulfilled: lines.map { line in client.ask(line) }).value
    #expect(answers == lines)

    let answer = try await client.ask("Saturn").timeout(.seconds(60)).value
    #expect(answer == "Saturn")

    let chained = try await client.ask("one").flatMap(on: .immediate) { client.ask($0 + ", two") }.value
    #expect(chained == "one, two")

    client.close()
    try await client.closed.value
  }

  @Test("a client whose question is no longer awaited closes its connection")
  func givenUp() async throws {
    let server = try await EchoServer.start(on: group).value
    let client = try await EchoClient.connect(to: server.channel.localAddress, on: group).value
    let waiting = Task { try await client.ask("").value }
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
    try await client.closed.value
    #expect(await client.ask("too late").finalResult.error as? ChannelError == .ioOnClosedChannel)
  }

  @Test("a refused connection fails the promise")
  func refused() async throws {
    let server = try await EchoServer.start(on: group).value
    let address = server.channel.localAddress
    try await server.channel.close().promise().value
    #expect(await EchoClient.connect(to: address, on: group).finalResult.error is IOError)
  }
}
