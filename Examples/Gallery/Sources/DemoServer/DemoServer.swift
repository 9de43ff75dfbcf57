import FlyingFox
import FlyingSocks
import Foundation
import Overmorrow
import Synchronization

/// A small HTTP server on the loopback interface, with a list of users at `/users` and their pictures at
/// `/avatars/N.png`.
package final class DemoServer: Sendable {
  /// Where the server listens, such as `http://127.0.0.1:40123`.
  package let address: URL

  private let running: Task<Void, any Error>

  private init(address: URL, running: Task<Void, any Error>) {
    self.address = address
    self.running = running
  }

  deinit {
    stop()
  }

  /// Closes the server and its connections.
  package func stop() {
    running.cancel()
  }

  /// Starts a server on a port that the system chooses.
  ///
  /// This is how async code becomes a promise: a task does the work and settles the resolver, and a request to
  /// cancel the promise cancels the task.
  ///
  /// - Fulfils: with the server, once it accepts connections. It stops when the last reference to it goes.
  /// - Fails: if the system refuses a socket.
  /// - Cancels: when asked to before it listens.
  package static func start(
    pictures: Int = 30, behaviour: @escaping Behaviour = everyday
  ) -> Promise<DemoServer, any Error> {
    Promise(on: .immediate) { resolver in
      let start = Task {
        do {
          resolver.fulfill(with: try await listen(pictures: pictures, behaviour: behaviour))
        } catch is CancellationError {
          resolver.cancel()
        } catch {
          resolver.reject(with: error)
        }
      }
      resolver.onRequestCancel(on: .immediate) { _ in start.cancel() }
    }
  }

  private static func listen(pictures: Int, behaviour: @escaping Behaviour) async throws -> DemoServer {
    // A behaviour may be as slow as it likes, so the server's own limit is far off.
    let server = HTTPServer(address: try .inet(ip4: "127.0.0.1", port: 0), timeout: 3600, logger: .disabled)
    await server.appendRoutes(people: Person.list(of: pictures), behaviour: behaviour)

    let running = Task { try await server.run() }
    do {
      try await server.waitUntilListening()
      guard case .ip4(let host, let port)? = await server.listeningAddress,
        let address = URL(string: "http://\(host):\(port)")
      else { throw SocketError.unsupportedAddress }
      return DemoServer(address: address, running: running)
    } catch {
      running.cancel()
      throw error
    }
  }
}

extension HTTPServer {
  fileprivate func appendRoutes(people: [Person], behaviour: @escaping DemoServer.Behaviour) {
    let visits = VisitCounter()

    appendRoute("GET /users") { _ in
      HTTPResponse(
        statusCode: .ok, headers: [.contentType: "application/json"], body: try JSONEncoder().encode(people))
    }

    appendRoute("GET /avatars/:file") { request in
      guard let file = request.routeParameters["file"], file.hasSuffix(".png"), let id = Int(file.dropLast(4)),
        let person = people.first(where: { $0.id == id })
      else { return HTTPResponse(statusCode: .notFound) }

      switch try await behaviour(DemoServer.Visit(picture: id, number: visits.count(id))) {
      case .picture:
        return HTTPResponse(
          statusCode: .ok, headers: [.contentType: "image/png"], body: Avatar(name: person.name).png)
      case .status(let code):
        return HTTPResponse(statusCode: HTTPStatusCode(code, phrase: "Refused"))
      case .body(let bytes):
        return HTTPResponse(statusCode: .ok, headers: [.contentType: "image/png"], body: bytes)
      }
    }
  }
}

/// How often each picture was asked for.
private final class VisitCounter: Sendable {
  private let visits = Mutex<[Int: Int]>([:])

  /// Counts one more visit and gives their number.
  func count(_ picture: Int) -> Int {
    visits.withLock {
      $0[picture, default: 0] += 1
      return $0[picture, default: 0]
    }
  }
}
