import LoopbackServer
import PromiseQ
import XCTest

/// `download` and `upload` against a real local server, and session tasks that a promise controls.
final class DownloadAndUploadTests: PromiseTestCase {
  // MARK: download

  func testDownloadWritesAFileAndReportsProgress() throws {
    let body = Data((0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 / 7) })
    let server = try TestServer { $0.reply("200 OK", [], body) }
    let log = Recorder<Step>()
    let response = try download(server.address()) { task, written, total in log.record((task, written, total)) }.await()
    XCTAssertTrue(response.ok)
    let location = try XCTUnwrap(response.location)
    XCTAssertEqual(try Data(contentsOf: location), body)
    XCTAssertEqual(response.data, body)
    try FileManager.default.removeItem(at: location)
    XCTAssertNil(response.data)
    XCTAssertNil(response.text)
    XCTAssertNil(response.json)
    log.check(total: 3_000_000)
  }

  // MARK: upload

  func testUploadSendsDataOrAFile() throws {
    let server = try TestServer { $0.reply("200 OK", [], Data("\($0.method) \($0.body().count)".utf8)) }
    let data = Data(count: 2_000_000)
    let (dataLog, fileLog) = (Recorder<Step>(), Recorder<Step>())
    let uploads = [
      upload(server.address(), data: data) { dataLog.record(($0, $1, $2)) },
      upload(server.address(), file: try temporaryFile(data)) { fileLog.record(($0, $1, $2)) },
    ]
    for upload in uploads { XCTAssertEqual(try upload.await().text, "POST 2000000") }
    for log in [dataLog, fileLog] { log.check(total: 2_000_000) }
  }

  func testUploadOfAMissingFileThrows() throws {
    let server = try TestServer.answering("200 OK")
    XCTAssertThrowsError(try upload(server.address(), file: URL(fileURLWithPath: "/nowhere/at/all")).await()) {
      XCTAssertEqual($0 as? String, "File not found")
    }
    XCTAssertEqual(server.count, 0)
  }

  // MARK: Cancelling an upload

  /// Cancels an upload of 1 MiB at a chosen moment, and checks that the promise is rejected, whatever happens to the
  /// bytes.
  private func cancelUploads(
    _ server: TestServer, _ isToBeCancelled: @escaping (_ bytes: Int64, _ total: Int64) -> Bool
  ) throws {
    let data = Data(count: 1 << 20)
    let file = try temporaryFile(data)
    let uploads: [(@escaping PromiseQ.Progress) -> Promise<HTTPResponse>] = [
      { upload(server.address(), data: data, progress: $0) }, { upload(server.address(), file: file, progress: $0) },
    ]
    for upload in uploads {
      var promise: Promise<HTTPResponse>?
      let (cancelled, log) = (Gate(), Recorder<String>())
      let made = upload { task, bytes, total in
        guard log.entries.count == 0, isToBeCancelled(bytes, total) else { return }
        log.record("cancelled")
        promise?.cancel()
        cancelled.open()
      }
      promise = made
      let end = made.then { _ in self.log.record("then") }
      runMainQueue(until: cancelled)
      XCTAssertEqual(outcome(end), "error: The Promise cancelled.")
      XCTAssertTrue(made.isCancelled)
    }
    XCTAssertEqual(log.entries, [])
  }

  func testUploadCanBeCancelledAtEachStage() throws {
    let answering = try TestServer { $0.reply("200 OK", [], Data("\($0.body().count)".utf8)) }
    let silent = try TestServer { connection in
      _ = connection.body()
      connection.waitForClose()
    }
    try cancelUploads(answering) { _, _ in true }
    for server in [answering, silent] { try cancelUploads(server) { $0 == $1 } }
  }

  func testUnreadUploadIsCancelled() throws {
    let (begun, read) = (Gate(), Gate())
    let server = try TestServer { connection in
      begun.open()
      read.pass()
      connection.waitForClose()
    }
    let promise = upload(server.address(), data: Data(count: 1 << 20))
    let end = promise.then { _ in self.log.record("then") }
    runMainQueue(until: begun)
    promise.cancel()
    XCTAssertEqual(outcome(end), "error: The Promise cancelled.")
    XCTAssertEqual(log.entries, [])
    read.open()
  }

  func testCancelledTaskRejectsWithItsError() throws {
    let server = try TestServer { connection in
      connection.sendHead("200 OK", ["Content-Length: 100000"])
      connection.send(Data(count: 1_000))
      connection.waitForClose()
    }
    let promise = download(server.address()) { task, bytes, total in
      if bytes > 0 { task.cancel() }
    }
    XCTAssertThrowsError(try promise.await()) { XCTAssertEqual(($0 as? URLError)?.code, .cancelled) }
  }

  // MARK: Tasks of a session

  func testSessionTasksAreAsyncable() throws {
    let url = try XCTUnwrap(URL(string: TestServer.answering("200 OK", [], "text").address()))
    let session = URLSession.shared
    let tasks: [Asyncable] = [
      session.dataTask(with: url), session.downloadTask(with: url),
      session.uploadTask(with: URLRequest(url: url), from: Data()),
    ]
    for task in tasks { task.cancel() }
  }
}

/// The arguments of a progress handler.
private typealias Step = (task: URLSessionTask, bytes: Int64, total: Int64)

extension Recorder where Entry == Step {
  /// Checks that the progress covers a whole request.
  fileprivate func check(total: Int64, file: StaticString = #filePath, line: UInt = #line) {
    let steps = entries
    XCTAssertEqual(steps.last?.bytes, total, file: file, line: line)
    XCTAssertEqual(steps.last?.total, total, file: file, line: line)
    XCTAssertEqual(steps.map(\.bytes), steps.map(\.bytes).sorted(), file: file, line: line)
    XCTAssertTrue(steps.allSatisfy { $0.task === steps[0].task }, file: file, line: line)
  }
}
