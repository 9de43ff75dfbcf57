import LoopbackServer
import Overmorrow
import PromiseKit
import XCTest

@testable import PMKFoundation

private typealias Promise = PromiseKit.Promise
private typealias URLRequestConvertible = PMKFoundation.URLRequestConvertible

/// A resource of a service, as users declare it.
private struct Resource: URLRequestConvertible {
  let server: TestServer
  var method = "GET"

  var pmkRequest: URLRequest {
    var request = URLRequest(url: URL(string: server.address("/resource"))!)
    request.httpMethod = method
    return request
  }
}

/// The tasks of sessions, against a real local server.
final class SessionTests: PMKFoundationTestCase {
  private func url(_ server: TestServer, _ path: String = "/") -> URL { URL(string: server.address(path))! }

  private func echo() throws -> TestServer {
    try TestServer { connection in
      let text = "\(connection.method) \(connection.path) \(String(decoding: connection.body(), as: UTF8.self))"
      connection.reply("200 OK", [], Data(text.utf8))
    }
  }

  private func text(_ promise: Promise<(data: Data, response: URLResponse)>) throws -> String {
    let (data, response) = try value(promise)
    return try XCTUnwrap(String(data: data, urlResponse: response))
  }

  // MARK: Tasks

  func testDataTaskTakesURLsRequestsAndOwnTypes() throws {
    let server = try echo()
    XCTAssertEqual(try text(session.dataTask(.promise, with: url(server, "/a"))), "GET /a ")
    var request = URLRequest(url: url(server, "/b"))
    request.httpMethod = "DELETE"
    XCTAssertEqual(try text(session.dataTask(.promise, with: request)), "DELETE /b ")
    XCTAssertEqual(try text(session.dataTask(.promise, with: Resource(server: server))), "GET /resource ")
    let resource: any URLRequestConvertible = Resource(server: server, method: "OPTIONS")
    XCTAssertEqual(try text(session.dataTask(.promise, with: resource)), "OPTIONS /resource ")
  }

  func testUploadTasksSendDataAndFiles() throws {
    let post = Resource(server: try echo(), method: "POST")
    let body = Data("body".utf8)
    XCTAssertEqual(try text(session.uploadTask(.promise, with: post, from: body)), "POST /resource body")
    let file = try temporaryFile(body)
    XCTAssertEqual(try text(session.uploadTask(.promise, with: post, fromFile: file)), "POST /resource body")
  }

  func testDownloadTaskMovesTheFileToItsLocation() throws {
    let location = try temporaryFile()
    let (saved, response) = try value(session.downloadTask(.promise, with: url(echo(), "/file"), to: location))
    XCTAssertEqual(saved, location)
    XCTAssertEqual((response as? HTTPURLResponse)?.statusCode, 200)
    XCTAssertEqual(try String(contentsOf: location, encoding: .utf8), "GET /file ")
  }

  func testDownloadTaskRejectsALocationThatHasAFile() throws {
    let location = try temporaryFile(Data("old".utf8))
    let error = try error(session.downloadTask(.promise, with: url(echo()), to: location))
    XCTAssertTrue(error is CocoaError, "\(error)")
    XCTAssertEqual(try String(contentsOf: location, encoding: .utf8), "old")
  }

  func testStepsRunOnTheDefaultQueueAndNeedNoHandle() throws {
    let server = try echo()
    let served = expectation(description: "the chain has run")
    session.dataTask(.promise, with: url(server)).done { _ in
      XCTAssertTrue(Thread.isMainThread)
      served.fulfill()
    }.cauterize()
    wait(for: [served], timeout: 60)
  }

  // MARK: Errors

  func testClosedConnectionRejectsEachTask() throws {
    let server = try TestServer { $0.close() }
    let tasks: [Promise<Void>] = [
      session.dataTask(.promise, with: url(server)).asVoid(),
      session.uploadTask(.promise, with: Resource(server: server, method: "POST"), from: Data("a".utf8)).asVoid(),
      session.downloadTask(.promise, with: url(server), to: try temporaryFile()).asVoid(),
    ]
    for task in tasks {
      let error = try error(task)
      XCTAssertTrue(error is URLError, "\(error)")
      XCTAssertFalse(error.isCancelled)
    }
  }

  func testAnyStatusFulfilsWithoutValidate() throws {
    for status in ["201 Created", "204 No Content", "304 Not Modified", "404 Not Found", "500 Internal Server Error"] {
      let server = try TestServer.answering(status, [], "body")
      let (_, response) = try value(session.dataTask(.promise, with: url(server)))
      XCTAssertEqual((response as? HTTPURLResponse)?.statusCode, Int(status.prefix(3)))
    }
  }

  func testValidateAcceptsStatus2xxAndOtherSchemes() throws {
    let server = try TestServer.answering("201 Created", [], "made")
    XCTAssertEqual(try text(session.dataTask(.promise, with: url(server)).validate()), "made")
    let response = URLResponse(
      url: URL(string: "data:,a")!, mimeType: nil, expectedContentLength: 1, textEncodingName: nil)
    XCTAssertEqual(try text(Promise.value((Data("a".utf8), response)).validate()), "a")
  }

  func testValidateRejectsEachOtherStatus() throws {
    for status in ["300 Multiple Choices", "404 Not Found", "500 Internal Server Error"] {
      let server = try TestServer.answering(status, [], #"{"reason": "none"}"#)
      let error = try error(session.dataTask(.promise, with: url(server, "/a")).validate())
      guard case PMKHTTPError.badStatusCode(let code, let data, let response) = error else {
        return XCTFail("\(error)")
      }
      XCTAssertEqual(code, Int(status.prefix(3)))
      XCTAssertEqual(data, Data(#"{"reason": "none"}"#.utf8))
      XCTAssertEqual(response.statusCode, code)
      let failure = try XCTUnwrap(error as? PMKHTTPError)
      XCTAssertEqual(failure.jsonDictionary as? [String: String], ["reason": "none"])
      XCTAssertEqual(failure.decodeResponse([String: String].self), ["reason": "none"])
      XCTAssertNil(failure.decodeResponse([Int].self))
      XCTAssertEqual(failure.failureReason, #"{"reason": "none"}"#)
      XCTAssertEqual(
        error.localizedDescription, "The server answered with the status \(code): \(server.address("/a"))")
      XCTAssertEqual("\(error)", "\(error.localizedDescription)\n{\"reason\": \"none\"}")
      XCTAssertFalse(error.isCancelled)
    }
  }

  // MARK: Cancellation

  func testRequestToCancelTheCoreCancelsTheTask() throws {
    let (begun, closed) = (expectation(description: "sent a part"), expectation(description: "the client has closed"))
    (begun.expectedFulfillmentCount, closed.expectedFulfillmentCount) = (2, 2)
    let server = try TestServer { connection in
      connection.begin(of: 1_000, Data("part".utf8))
      begun.fulfill()
      connection.waitForClose()
      closed.fulfill()
    }
    let location = try temporaryFile()
    let data = session.dataTask(.promise, with: url(server))
    let file = session.downloadTask(.promise, with: url(server), to: location)
    wait(for: [begun], timeout: 60)
    data.core.requestCancel()
    file.core.requestCancel()
    for error in [data.error, file.error] {
      guard case PMKError.cancelled? = error else { return XCTFail("\(String(describing: error))") }
    }
    wait(for: [closed], timeout: 60)
    XCTAssertFalse(FileManager.default.fileExists(atPath: location.path))
  }

  func testInvalidatedSessionRejectsWithACancelledURLError() throws {
    let begun = expectation(description: "the request has arrived")
    let server = try TestServer { connection in
      begun.fulfill()
      connection.waitForClose()
    }
    let session = URLSession(configuration: .ephemeral)
    let promise = session.dataTask(.promise, with: url(server))
    wait(for: [begun], timeout: 60)
    session.invalidateAndCancel()
    let error = try error(promise)
    XCTAssertEqual((error as? URLError)?.code, .cancelled)
    XCTAssertTrue(error.isCancelled)
  }

  func testTaskThatReleasesItsHandlerRejects() throws {
    let url = try url(echo())
    let output: @Sendable (Data, URLResponse) -> Data = { data, _ in data }
    // Not a task of `session`: Foundation on Linux can crash if a session is invalidated while its task ends.
    let promise = startTask(output: output, make: { _ in URLSession.shared.dataTask(with: url) })
    guard case PMKError.cancelled? = promise.error else { return XCTFail("\(promise)") }
  }

  // MARK: Text

  func testTextHasTheCharacterSetOfTheResponse() throws {
    func text(_ bytes: [UInt8], _ encoding: String?) -> String? {
      let response = URLResponse(
        url: URL(string: "file:///a")!, mimeType: "text/plain", expectedContentLength: bytes.count,
        textEncodingName: encoding)
      return String(data: Data(bytes), urlResponse: response)
    }
    XCTAssertEqual(text([0xe9], "iso-8859-1"), "é")
    XCTAssertEqual(text([0xc3, 0xa9], "utf-8"), "é")
    XCTAssertEqual(text([0xc3, 0xa9], nil), "é")
    XCTAssertEqual(text([0xc3, 0xa9], "unheard-of"), "é")
    XCTAssertNil(text([0xe9], nil))
  }
}
