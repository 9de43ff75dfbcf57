import LoopbackServer
import PMKFoundation
import PromiseKit
import XCTest

private struct Reading: Decodable, Equatable {
  let degrees: Int
}

/// The sample of the guide, and chains of programs for the original.
final class SampleTests: PMKFoundationTestCase {
  private func reading(at url: URL) -> Promise<Reading> {
    return firstly {
      URLSession.shared.dataTask(.promise, with: url).validate()
    }.map {
      try JSONDecoder().decode(Reading.self, from: $0.data)
    }.recover { error -> Promise<Reading> in
      guard case PMKHTTPError.badStatusCode(404, _, _) = error else { throw error }
      return .value(Reading(degrees: 0))
    }
  }

  func testReading() throws {
    func reading(_ status: String, _ body: String = "") throws -> Promise<Reading> {
      let server = try TestServer.answering(status, [], body)
      return try self.reading(at: XCTUnwrap(URL(string: server.address())))
    }
    XCTAssertEqual(try value(reading("200 OK", #"{"degrees": 4}"#)), Reading(degrees: 4))
    XCTAssertEqual(try value(reading("404 Not Found")), Reading(degrees: 0))
    XCTAssertTrue(try error(reading("503 Service Unavailable")) is PMKHTTPError)
    XCTAssertTrue(try error(reading("200 OK", "four")) is DecodingError)
  }

  func testChainsOfTheOriginal() throws {
    let server = try TestServer.answering("200 OK", ["Content-Type: text/plain; charset=iso-8859-1"], "text")
    let url = try XCTUnwrap(URL(string: server.address()))
    func makeRequest() throws -> URLRequest { URLRequest(url: url) }
    XCTAssertEqual(
      try value(
        firstly { session.dataTask(.promise, with: try makeRequest()) }.compactMap {
          String(data: $0.data, urlResponse: $0.response)
        }), "text")
    XCTAssertEqual(
      try value(
        session.dataTask(.promise, with: url).validate().map { data, _ in String(decoding: data, as: UTF8.self) }),
      "text")
    let image = session.dataTask(.promise, with: url).map(on: .global()) { $0.data.count }
    XCTAssertEqual(try value(when(fulfilled: image, session.dataTask(.promise, with: url)).map { $0.0 }), 4)
  }
}
