import FlyingFox
import Foundation
import Overmorrow
import Synchronization

/// A server with a list of users at `/users`, the users whose names contain a text at `/users?name=TEXT`, and their
/// pictures at `/avatars/N.png`.
package enum DemoServer {
  /// Starts a server on a port that the system chooses.
  ///
  /// Fulfils, fails and cancels like ``LocalServer/start(port:addRoutes:)``.
  package static func start(
    pictures: Int = 30, behaviour: @escaping Behaviour = everyday, searching: @escaping SearchBehaviour = everydaySearch
  ) -> Promise<LocalServer, any Error> {
    let people = Person.list(of: pictures)
    let visits = VisitCounter()

    return LocalServer.start { server in
      await server.appendRoute("GET /users") { request in
        let name = request.query["name"]
        if let name { try await searching(name) }
        return HTTPResponse(
          statusCode: .ok, headers: [.contentType: "application/json"],
          body: try JSONEncoder().encode(people.filter { name.map($0.nameContains) ?? true }))
      }

      await server.appendRoute("GET /avatars/:file") { request in
        guard let file = request.routeParameters["file"], file.hasSuffix(".png"), let id = Int(file.dropLast(4)),
          let person = people.first(where: { $0.id == id })
        else { return HTTPResponse(statusCode: .notFound) }

        switch try await behaviour(Visit(picture: id, number: visits.count(id))) {
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
}

/// The number of requests for each picture.
private final class VisitCounter: Sendable {
  private let visits = Mutex<[Int: Int]>([:])

  /// Counts a visit and returns the number of visits.
  func count(_ picture: Int) -> Int {
    visits.withLock {
      $0[picture, default: 0] += 1
      return $0[picture, default: 0]
    }
  }
}
