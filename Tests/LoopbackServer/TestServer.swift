internal import Foundation

#if canImport(Darwin)
  private let stream = SOCK_STREAM
#else
  private let stream = Int32(SOCK_STREAM.rawValue)
#endif

/// A real HTTP server on this machine that can misbehave in any way a test needs: it answers one request per connection
/// with exactly the bytes that the test sends.
package final class TestServer: Sendable {
  package let port: UInt16
  private let socket: Int32
  private let served = Tally()

  /// Creates a server that answers each connection on its own thread, and closes the connection when the closure
  /// returns.
  package init(_ answer: @escaping @Sendable (Connection) -> Void) throws {
    let listener = Foundation.socket(AF_INET, stream, 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr = in_addr(s_addr: UInt32(0x7f00_0001).bigEndian)
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    // Unsafe: the address lives during the calls, and its length is passed to them.
    let bound = unsafe withUnsafeMutablePointer(to: &address) {
      unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        let isBound = unsafe bind(listener, address, length) == 0 && listen(listener, 64) == 0
        return unsafe isBound && getsockname(listener, address, &length) == 0
      }
    }
    guard bound else { throw POSIXError(.EADDRINUSE) }
    port = UInt16(bigEndian: address.sin_port)
    socket = listener
    let served = served
    Thread {
      while true {
        let peer = accept(listener, nil, nil)
        if peer < 0 { break }
        served.add()
        Thread {
          let connection = Connection(peer)
          if connection.readHead() { answer(connection) }
          connection.close()
        }.start()
      }
      _ = Foundation.close(listener)
    }.start()
  }

  /// Stops accepting connections. A server that is not stopped runs until the tests end.
  package func stop() { _ = shutdown(socket, Int32(SHUT_RDWR)) }

  /// The number of connections accepted.
  package var count: Int { served.value }

  package func address(_ path: String = "/") -> String { "http://127.0.0.1:\(port)\(path)" }

  /// Creates a server with the same answer for all clients.
  package static func answering(
    _ status: String, _ headers: [String] = [], _ body: String = ""
  ) throws -> TestServer {
    try TestServer { $0.reply(status, headers, Data(body.utf8)) }
  }
}

/// A counter that any thread may increment.
///
/// Sendable because the number is accessed only under the lock.
package final class Tally: @unchecked Sendable {
  private let lock = NSLock()
  private var number = 0

  package init() {}

  package func add(_ more: Int = 1) { lock.withLock { number += more } }

  package var value: Int { lock.withLock { number } }
}
