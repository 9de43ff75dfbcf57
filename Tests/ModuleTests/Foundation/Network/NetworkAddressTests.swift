import Foundation
import Overmorrow
import OvermorrowFoundation
import Testing

/// The addresses of requests: strings, URLs, requests, and types of the program.
@Suite(.inTurn) struct NetworkAddressTests {
  private let transport = StubTransport([
    "GET https://example.org/people": [.response(HTTPResponse(status: 200))],
    "POST https://example.org/people": [.response(HTTPResponse(status: 201))],
    "PUT https://example.org/people": [.response(HTTPResponse(status: 204))],
    "DELETE https://example.org/people": [.response(HTTPResponse(status: 204))],
  ])

  private enum Resource: String, URLRequestConvertible {
    case people

    func asURLRequest() throws(NetworkError) -> URLRequest { try "https://example.org/\(rawValue)".asURLRequest() }
  }

  private func url() throws -> URL { try #require(URL(string: "https://example.org/people")) }

  @Test("10.19 a string, a URL, a request and a custom type are fetched alike")
  func forms() async throws {
    let session = NetworkSession(transport: transport)
    let (url, request, body) = (try url(), URLRequest(url: try url()), Data("{}".utf8))

    let first = session.fetch("https://example.org/people")
    let second = session.fetch(url)
    let third = session.fetch(request)

    for response in [first, second, third, session.fetch(Resource.people)] { await expectAnswer(response) }
    #expect(transport.requests.map(\.url) == Array(repeating: url, count: 4))

    let people = session.fetch("https://example.org/people")
    let sent = session.fetch(url, method: .post, headers: ["Content-Type": "application/json"], body: body)

    #expect(await expectAnswer(people)?.statusCode == 200)
    #expect(await expectAnswer(sent)?.statusCode == 201)
  }

  @Test("10.19 a given method, header fields and body replace those of a request")
  func parts() async throws {
    let session = NetworkSession(transport: transport)
    var request = URLRequest(url: try url())
    request.httpMethod = "DELETE"
    request.setValue("de", forHTTPHeaderField: "Accept-Language")
    request.setValue("text/html", forHTTPHeaderField: "Accept")
    await expectAnswer(session.fetch(request, headers: ["Accept": "text/plain"], body: Data([1])))
    await expectAnswer(session.fetch(request, method: .put))
    let (first, second) = try #require(
      transport.requests.count == 2 ? (transport.requests[0], transport.requests[1]) : nil)
    #expect(first.httpMethod == "DELETE" && second.httpMethod == "PUT")
    #expect(first.allHTTPHeaderFields == ["Accept": "text/plain", "Accept-Language": "de"])
    #expect(first.httpBody == Data([1]) && second.httpBody == nil)
  }

  @Test("10.19 an upload is posted unless another method is given")
  func uploads() async throws {
    let session = NetworkSession(transport: transport)
    var put = URLRequest(url: try url())
    put.httpMethod = "PUT"
    let source = UploadSource.data(Data("Ada".utf8))
    await expectAnswer(session.upload(source, to: try url()))
    await expectAnswer(session.upload(source, to: put))
    await expectAnswer(session.upload(source, to: put, method: .get))
    #expect(transport.requests.map(\.httpMethod) == ["POST", "PUT", "GET"])
    #expect(transport.requests.allSatisfy { $0.httpBody == Data("Ada".utf8) })
  }

  @Test("10.19 a request with a body is posted unless another method is given")
  func bodies() async throws {
    let (session, folder, body) = (NetworkSession(transport: transport), try TemporaryFolder(), Data("Ada".utf8))
    var put = URLRequest(url: try url())
    put.httpMethod = "PUT"
    await expectAnswer(session.fetch("https://example.org/people", body: body))
    await expectAnswer(session.fetch(put, body: body))
    await expectAnswer(session.fetch("https://example.org/people", method: .get, body: body))
    await expectAnswer(session.download(try url(), to: folder.file("it"), body: body))
    #expect(transport.requests.map(\.httpMethod) == ["POST", "PUT", "GET", "POST"])
    #expect(transport.requests.allSatisfy { $0.httpBody == body })
  }

  @Test("10.3 10.19 an address that is not an HTTP address is an error in every form")
  func bad() async throws {
    let session = NetworkSession(transport: transport)
    let file = URL(fileURLWithPath: "/etc/hosts")
    for response in [session.fetch("http://"), session.fetch(file), session.fetch(URLRequest(url: file))] {
      #expect(await expectError(response)?.name == "badAddress")
    }
    #expect(transport.requests.isEmpty)
  }

  @Test("10.14 the scheme of an address may be in upper case")
  func upperCase() async throws {
    let server = try TestServer.answering("200 OK", [], "here")
    let address = "HTTP://127.0.0.1:\(server.port)/a?b=C"
    let response = await expectAnswer(patientSession.fetch(address))
    #expect(response?.text == "here")
    let request = URLRequest(url: try #require(URL(string: address)))
    let other = await expectAnswer(patientSession.fetch(request))
    #expect(other?.url?.query == "b=C")
  }
}
