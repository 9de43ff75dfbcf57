internal import Foundation

#if canImport(Darwin)
  private let stream = SOCK_STREAM
#else
  private let stream = Int32(SOCK_STREAM.rawValue)
#endif

/// A real HTTP server on this machine, as badly behaved as a test wants it: it answers each connection once, byte by
/// byte as it is told.
package final class TestServer: Sendable {
  package let port: UInt16
  private let socket: Int32
  private let served = Tally()

  /// A server that answers on a thread of its own for each connection, which is closed when the answer returns.
  package init(_ answer: @escaping @Sendable (Connection) -> Void) throws {
    let listener = Foundation.socket(AF_INET, stream, 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr = in_addr(s_addr: UInt32(0x7f00_0001).bigEndian)
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    // Unsafe: the address lives during the calls, and is as long as they are told.
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

  /// Accepts no more. One that is not stopped serves until the tests are over.
  package func stop() { _ = shutdown(socket, Int32(SHUT_RDWR)) }

  /// How many connections have come.
  package var count: Int { served.value }

  package func address(_ path: String = "/") -> String { "http://127.0.0.1:\(port)\(path)" }

  /// A server with one answer for all clients.
  package static func answering(
    _ status: String, _ headers: [String] = [], _ body: String = ""
  ) throws -> TestServer {
    try TestServer { $0.reply(status, headers, Data(body.utf8)) }
  }
}

/// Counts from any thread.
///
/// Sendable: the number is used under the lock only.
package final class Tally: @unchecked Sendable {
  private let lock = NSLock()
  private var number = 0

  package init() {}

  package func add(_ more: Int = 1) { lock.withLock { number += more } }

  package var value: Int { lock.withLock { number } }
}
