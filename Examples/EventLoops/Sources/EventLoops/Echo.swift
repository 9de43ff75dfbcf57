import NIOCore
import NIOPosix
import Overmorrow
import OvermorrowNIO

/// A server on the loopback interface that echoes every line. It never answers an empty line.
struct EchoServer {
  let channel: any Channel

  static func start(on group: MultiThreadedEventLoopGroup) -> Promise<EchoServer, any Error> {
    ServerBootstrap(group: group)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandlers(ByteToMessageHandler(LineDecoder()), Echo())
        }
      }
      .bind(host: "127.0.0.1", port: 0)
      .promise()
      .map(on: .immediate) { EchoServer(channel: $0) }
  }

  private final class Echo: ChannelInboundHandler {
    typealias InboundIn = String
    typealias OutboundOut = ByteBuffer

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      let line = unwrapInboundIn(data)
      guard !line.isEmpty else { return }
      context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: line + "\n")), promise: nil)
    }
  }
}

/// A client of an `EchoServer` that sends one line at a time.
final class EchoClient: Sendable {
  private let channel: any Channel
  private let answers: NIOLoopBound<Answers>

  private init(channel: any Channel, answers: NIOLoopBound<Answers>) {
    self.channel = channel
    self.answers = answers
  }

  static func connect(
    to address: SocketAddress?, on group: MultiThreadedEventLoopGroup
  ) -> Promise<EchoClient, any Error> {
    guard let address else { return Promise(rejected: ChannelError.unknownLocalAddress) }
    return ClientBootstrap(group: group)
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandlers(ByteToMessageHandler(LineDecoder()), Answers())
        }
      }
      .connect(to: address)
      .flatMapThrowing { channel in
        let answers = try channel.pipeline.syncOperations.handler(type: Answers.self)
        return EchoClient(channel: channel, answers: NIOLoopBound(answers, eventLoop: channel.eventLoop))
      }
      .promise()
  }

  /// Returns the answer to a line. When the answer is no longer wanted, the connection is closed.
  func ask(_ line: String) -> Promise<String, any Error> {
    Promise(on: .eventLoop(channel.eventLoop)) { [channel, answers] resolver in
      answers.value.expected.append(resolver)
      channel.writeAndFlush(ByteBuffer(string: line + "\n")).whenFailure { resolver.reject(with: $0) }
      resolver.onRequestCancel(on: .immediate) { _ in channel.close(promise: nil) }
    }
  }

  func close() { channel.close(promise: nil) }

  /// A promise that is fulfilled when either side has closed the connection.
  var closed: Promise<Void, any Error> { channel.closeFuture.promise() }

  /// Delivers lines to the promises that wait for them. Promises that still wait when the connection ends are
  /// cancelled.
  private final class Answers: ChannelInboundHandler {
    typealias InboundIn = String

    var expected: [Promise<String, any Error>.Resolver] = []

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      guard !expected.isEmpty else { return }
      expected.removeFirst().fulfill(with: unwrapInboundIn(data))
    }

    func channelInactive(context: ChannelHandlerContext) {
      for resolver in expected { resolver.cancel() }
      expected = []
    }
  }
}

private struct LineDecoder: ByteToMessageDecoder {
  typealias InboundOut = String

  mutating func decode(context: ChannelHandlerContext, buffer: inout ByteBuffer) throws -> DecodingState {
    guard let length = buffer.readableBytesView.firstIndex(of: UInt8(ascii: "\n")) else { return .needMoreData }
    let line = buffer.readString(length: length - buffer.readerIndex) ?? ""
    buffer.moveReaderIndex(forwardBy: 1)
    context.fireChannelRead(wrapInboundOut(line))
    return .continue
  }
}
