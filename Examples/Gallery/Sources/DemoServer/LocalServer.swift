import FlyingFox
import FlyingSocks
import Foundation
import Overmorrow

/// An HTTP server on the loopback interface. It stops when its last reference is released.
package final class LocalServer: Sendable {
  /// The address of the server, such as `http://127.0.0.1:40123`.
  package let address: URL

  private let running: Promise<Void, any Error>

  private init(address: URL, running: Promise<Void, any Error>) {
    self.address = address
    self.running = running
  }

  deinit {
    stop()
  }

  /// Closes the server and its connections.
  package func stop() {
    running.requestCancel()
  }

  /// Starts a server.
  ///
  /// It shows how async code becomes a promise: the closure runs in a task, and a request to cancel the promise cancels
  /// the task.
  ///
  /// - Fulfils: with the server, once it accepts connections.
  /// - Fails: if the system does not provide a socket.
  /// - Cancels: when requested before the server listens.
  ///
  /// - Parameters:
  ///   - port: The port to listen on; 0 lets the system choose one.
  ///   - addRoutes: Adds the routes of the server.
  package static func start(
    port: UInt16 = 0, addRoutes: @escaping @Sendable (HTTPServer) async -> Void
  ) -> Promise<LocalServer, any Error> {
    Promise {
      // The server's own time limit is long, because an answer may be delayed on purpose.
      let server = HTTPServer(address: try .inet(ip4: "127.0.0.1", port: port), timeout: 3600, logger: .disabled)
      await addRoutes(server)

      let running = Promise<Void, any Error> { try await server.run() }
      let listening = Promise<Void, any Error> { try await server.waitUntilListening() }
      // A server without a socket stops running, and its error is the first result.
      try await when(first: [running, listening]).value

      guard case .ip4(let host, let port)? = await server.listeningAddress,
        let address = URL(string: "http://\(host):\(port)")
      else {
        running.requestCancel()
        throw SocketError.unsupportedAddress
      }
      return LocalServer(address: address, running: running)
    }
  }
}
