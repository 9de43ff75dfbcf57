import NIOCore
import NIOPosix
import Overmorrow

// Sends the arguments to a server on the loopback interface and prints the answers.
let group = MultiThreadedEventLoopGroup.singleton
let server = try await EchoServer.start(on: group).value
let client = try await EchoClient.connect(to: server.channel.localAddress, on: group).value

let answers = when(fulfilled: CommandLine.arguments.dropFirst().map { client.ask($0) })
for answer in try await answers.timeout(.seconds(60)).value { print(answer) }

client.close()
try await client.closed.value
