import LoopbackServer
import PromiseQ
import XCTest

/// `fetch`, and the behaviour common to all requests, against a real local server.
final class NetworkTests: PromiseTestCase {
  private func nobody() throws -> String {
    let server = try TestServer { $0.reply() }
    server.stop()
    // Stopping the server makes its accepting thread close the socket. This loop waits until nobody listens.
    while (try? fetch(server.address()).await()) != nil {}
    return server.address()
  }

  /// The kinds of requests, called with an address and a number of retries.
  private let requests: [(String, (String, Int) -> Promise<HTTPResponse>)] = [
    ("fetch", { fetch($0, retry: $1) }), ("download", { download($0, retry: $1) }),
    ("upload", { upload($0, data: Data("a".utf8), retry: $1) }),
    ("session", { URLSession(configuration: .ephemeral).fetch($0, retry: $1) }),
  ]

  /// Waits for a response and checks it, and then removes the downloaded file, if any.
  private func get(_ promise: Promise<HTTPResponse>, _ check: (HTTPResponse) throws -> Void) throws {
    let response = try promise.await()
    try check(response)
    if let location = response.location { try FileManager.default.removeItem(at: location) }
  }

  // MARK: fetch

  func testRequestsSendMethodHeadersAndBody() throws {
    let (headers, body) = (["X-Test": "yes"], Data("body".utf8))
    let file = try temporaryFile(body)
    let server = try TestServer { connection in
      let body = String(decoding: connection.body(), as: UTF8.self)
      connection.reply("200 OK", [], Data("\(connection.method) \(connection.headers["x-test"] ?? "") \(body)".utf8))
    }
    let address = server.address()
    for method in [HTTPMethod.POST, .PUT, .PATCH, .DELETE] {
      let requests = [
        ("fetch", fetch(address, method: method, headers: headers, body: body)),
        ("download", download(address, method: method, headers: headers, body: body)),
        ("upload", upload(address, data: body, method: method, headers: headers)),
        ("upload of a file", upload(address, file: file, method: method, headers: headers)),
      ]
      for (name, request) in requests {
        try get(request) { XCTAssertEqual($0.text, "\(method.rawValue) yes body", name) }
      }
    }
  }

  func testErrorStatusGivesAResponseThatIsNotOK() throws {
    let server = try TestServer.answering("404 Not Found", [], "there is nothing")
    for (name, send) in requests {
      try get(send(server.address(), 0)) { response in
        XCTAssertFalse(response.ok, name)
        XCTAssertEqual(
          response.statusCodeDescription, "HTTP 404 - \(HTTPURLResponse.localizedString(forStatusCode: 404))", name)
        XCTAssertEqual(response.text, "there is nothing", name)
        XCTAssertNil(response.json, name)
      }
    }
  }

  func testResponseHasTextAndJSON() throws {
    let latin = Data([0x67, 0x72, 0xfc, 0x6e])
    let server = try TestServer { connection in
      switch connection.path {
      case "/latin": connection.reply("200 OK", ["Content-Type: text/plain; charset=iso-8859-1"], latin)
      case "/list": connection.reply("200 OK", [], Data("[1, 2]".utf8))
      case "/no": connection.reply("200 OK", [], Data([0xff, 0xfe, 0xfd]))
      default: connection.reply()
      }
    }
    let answers: [(path: String, data: Data, text: String?, json: [Int]?)] = [
      ("/latin", latin, "grün", nil), ("/list", Data("[1, 2]".utf8), "[1, 2]", [1, 2]),
      ("/no", Data([0xff, 0xfe, 0xfd]), nil, nil), ("/empty", Data(), "", nil),
    ]
    for (name, send) in requests {
      for (path, data, text, json) in answers {
        try get(send(server.address(path), 0)) { response in
          XCTAssertTrue(response.ok, name + path)
          XCTAssertEqual(response.response.statusCode, 200, name + path)
          XCTAssertEqual(response.location == nil, name != "download", name + path)
          XCTAssertEqual(response.data, data, name + path)
          XCTAssertEqual(response.text, text, name + path)
          XCTAssertEqual(response.json as? [Int], json, name + path)
        }
      }
    }
  }

  func testInvalidAddressRejects() throws {
    let bad = ["", "http:/", "http://", "http://[", "HTTP://a:b/"]
    let other = ["123", "path", "ftp://example.org/file", "FILE:///tmp", "data:text/plain,text"]
    for (paths, text) in [(bad, "Bad URL"), (other, "Not HTTP")] {
      for path in paths {
        for (name, send) in requests {
          XCTAssertThrowsError(try send(path, 0).await(), name + path) {
            XCTAssertEqual($0 as? String, text, name + path)
          }
        }
      }
    }
    XCTAssertEqual(outcome(URLSession.shared.fetch(URL(fileURLWithPath: "/tmp"))), "error: Not HTTP")
    let request = URLRequest(url: try XCTUnwrap(URL(string: "data:text/plain,text")))
    for session in [URLSession.shared, URLSession(configuration: .ephemeral)] {
      XCTAssertEqual(outcome(session.fetch(request)), "error: Not HTTP")
    }
  }

  func testSchemeMayBeInUpperCase() throws {
    let server = try TestServer.answering("200 OK", [], "here")
    let response = try fetch(server.address().replacingOccurrences(of: "http", with: "HTTP")).await()
    XCTAssertEqual(response.text, "here")
  }

  func testInvalidHeaderRejects() {
    XCTAssertThrowsError(try fetch("http://127.0.0.1/", headers: ["X": "a\r\nY: b"]).await())
  }

  func testRefusedConnectionRejects() throws {
    let address = try nobody()
    for (name, send) in requests {
      XCTAssertThrowsError(try send(address, 0).await(), name) { XCTAssertTrue($0 is URLError, "\(name): \($0)") }
    }
  }

  func testTruncatedBodyRejectsAfterAllRetries() throws {
    for (name, send) in requests {
      let tally = Tally()
      let server = try TestServer { connection in
        _ = connection.body()
        tally.add()
        if tally.value < 5 {
          connection.begin(of: 10, Data("not all".utf8))
        } else {
          connection.reply("200 OK", [], Data("at last".utf8))
        }
      }
      XCTAssertThrowsError(try send(server.address(), 1).await(), name) {
        XCTAssertEqual(($0 as? URLError)?.code, .networkConnectionLost, name)
      }
      XCTAssertEqual(tally.value, 2, name)
      try get(send(server.address(), 5)) { XCTAssertEqual($0.text, "at last", name) }
      XCTAssertEqual(tally.value, 5, name)
    }
  }

  // MARK: A session

  func testSessionFetchUsesItsConfiguration() throws {
    let server = try TestServer { connection in
      connection.reply("200 OK", [], Data("\(connection.method) \(connection.headers["x-agent"] ?? "")".utf8))
    }
    let configuration = URLSessionConfiguration.default
    configuration.timeoutIntervalForRequest = waitLimit
    configuration.httpAdditionalHeaders = ["X-Agent": "test"]
    let session = URLSession(configuration: configuration)
    let url = try XCTUnwrap(URL(string: server.address()))
    XCTAssertEqual(try session.fetch(server.address()).await().text, "GET test")
    XCTAssertEqual(try session.fetch(url, method: .POST, body: Data("a".utf8)).await().text, "POST test")
    var request = URLRequest(url: url)
    request.httpMethod = "PUT"
    XCTAssertEqual(try session.fetch(request, retry: 1).await().text, "PUT test")
    XCTAssertEqual(try URLSession.shared.fetch(request).await().text, "PUT ")
  }

  // MARK: Control

  func testCancelEndsARequestInFlight() throws {
    for (name, send) in requests {
      let (begun, closed) = (Gate(), Gate())
      let server = try TestServer { connection in
        _ = connection.body()
        connection.sendHead("200 OK", ["Content-Length: 100000"])
        connection.send(Data(count: 1_000))
        begun.open()
        connection.waitForClose()
        closed.open()
      }
      let promise = send(server.address(), 0)
      let end = promise.then { _ in XCTFail("It runs although it is cancelled: \(name)") }
      runMainQueue(until: begun)
      promise.cancel()
      XCTAssertEqual(outcome(end), "error: The Promise cancelled.", name)
      closed.pass()
    }
  }

  func testRequestInFlightIsSuspendedAndResumed() throws {
    let (begun, go) = (Gate(), Gate())
    let body = Data((0..<500_000).map { UInt8(truncatingIfNeeded: $0 / 5) })
    let server = try TestServer { connection in
      connection.sendHead("200 OK", ["Content-Length: \(body.count)"])
      connection.send(body.prefix(1_000))
      begun.open()
      go.pass()
      connection.send(body.dropFirst(1_000))
    }
    let promise = fetch(server.address())
    runMainQueue(until: begun)
    promise.suspend()
    go.open()
    // Opened twice, in case the request starts over.
    go.open()
    promise.resume()
    XCTAssertEqual(try promise.await().data, body)
  }

  func testTimeoutCancelsTheRequest() throws {
    let (arrived, closed) = (Tally(), Gate())
    let server = try TestServer { connection in
      arrived.add()
      connection.waitForClose()
      closed.open()
    }
    // A timeout that passes before the request has arrived proves nothing.
    for seconds in [0.2, 1, 5, 20] where arrived.value == 0 {
      let promise = Promise { server.address() }.then(timeout: seconds) { fetch($0) }
      XCTAssertEqual(outcome(promise), "error: The Promise timed out.")
    }
    XCTAssertGreaterThan(arrived.value, 0)
    closed.pass()
  }
}
