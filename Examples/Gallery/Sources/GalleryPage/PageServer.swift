import DemoServer
import FlyingFox
import Foundation
import GalleryKit
import Overmorrow

/// The gallery as a web page: a search, a run with its progress, and the timeline of that run.
package final class PageServer: Sendable {
  private let server: LocalServer
  private let runs: LiveRuns

  private init(server: LocalServer, runs: LiveRuns) {
    self.server = server
    self.runs = runs
  }

  /// The address of the page.
  package var address: URL { server.address }

  /// Starts a server for the page.
  ///
  /// Fulfils, fails and cancels like ``LocalServer/start(port:addRoutes:)``.
  ///
  /// - Parameters:
  ///   - port: The port to listen on; 0 lets the system choose one.
  ///   - settings: The settings for the search and for each run.
  package static func start(port: UInt16, settings: Gallery.Settings) -> Promise<PageServer, any Error> {
    let (search, runs) = (PeopleSearch(settings), LiveRuns(settings))
    return LocalServer.start(port: port) { server in
      await server.appendRoute("GET /") { _ in .page(PackageResources.page_html) }
      await server.appendRoute("GET /search") { request in
        guard let text = request.query["text"], let session = request.query["session"],
          let number = request.query["number"].flatMap({ Int($0) })
        else { return HTTPResponse(statusCode: .badRequest) }
        let people = search.people(named: text, session: session, number: number)
        let answer = people.upcast.map(on: .utility) { people in try JSONEncoder().encode(people) }
        return await .answer(answer, as: "application/json")
      }
      await server.appendRoute("GET /avatars/:file") { request in
        await .answer(search.avatar(request.routeParameters["file"] ?? "").upcast, as: "image/png")
      }
      await server.appendRoute("GET /run") { _ in
        HTTPResponse(
          statusCode: .ok, headers: [.contentType: "text/event-stream", .cacheControl: "no-store"],
          body: HTTPBodySequence(from: EventStream(events: runs.start())))
      }
      await server.appendRoute("GET /timeline") { _ in
        runs.timeline.map { .page($0.utf8) } ?? HTTPResponse(statusCode: .notFound)
      }
      await server.appendRoute("GET /sheet/*", to: DirectoryHTTPHandler(root: settings.output, serverPath: "sheet"))
    }
    .map(on: .immediate) { PageServer(server: $0, runs: runs) }
  }

  /// Stops the runs, then the server. The promise is fulfilled when the runs have cleaned up.
  package func stop() -> Promise<Void, Never> {
    runs.stop().always(on: .immediate) { [server] _ in server.stop() }
  }
}

extension HTTPResponse {
  /// Returns a page that changes from request to request, and must not be cached.
  fileprivate static func page(_ html: some Sequence<UInt8>) -> HTTPResponse {
    HTTPResponse(
      statusCode: .ok, headers: [.contentType: "text/html; charset=utf-8", .cacheControl: "no-store"], body: Data(html))
  }

  /// Returns the answer for a promise: its value, no content if it is cancelled, or an error.
  fileprivate static func answer(_ promise: Promise<Data, any Error>, as type: String) async -> HTTPResponse {
    switch await promise.finalResult {
    case .value(let body): HTTPResponse(statusCode: .ok, headers: [.contentType: type], body: body)
    case .cancelled: HTTPResponse(statusCode: .noContent)
    case .error(let error):
      HTTPResponse(
        statusCode: HTTPStatusCode(502, phrase: "Bad Gateway"), headers: [.contentType: "text/plain; charset=utf-8"],
        body: Data("\(error)".utf8))
    }
  }
}
