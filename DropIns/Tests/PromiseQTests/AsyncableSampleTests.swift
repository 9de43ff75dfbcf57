import LoopbackServer
import PromiseQ
import XCTest

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

class TimeOutTask: Asyncable {
  let timeOut: TimeInterval
  var work: DispatchWorkItem?
  let fire: () -> Void

  init(timeOut: TimeInterval, _ fire: @escaping () -> Void) {
    self.timeOut = timeOut
    self.fire = fire
  }

  // MARK: Asyncable

  func suspend() {
    cancel()
  }

  func resume() {
    work = DispatchWorkItem(block: self.fire)
    DispatchQueue.global().asyncAfter(deadline: .now() + timeOut, execute: work!)
  }

  func cancel() {
    work?.cancel()
    work = nil
  }
}

// swift-format-ignore: AlwaysUseLowerCamelCase
struct User: Codable {
  let login: String
  let avatar_url: String
}

/// A stand-in for an image of a user interface.
private struct Image {
  init?(data: Data) {
    if data.isEmpty { return nil }
  }
}

/// The samples with custom tasks and with requests.
final class AsyncableSampleTests: PromiseTestCase {
  private func print<Item>(_ item: Item) { log.record("\(item)") }

  /// Makes a server for the samples: users, their pictures, and an answer to any other request.
  private func makeServer() throws -> TestServer {
    try TestServer { connection in
      switch connection.path {
      case "/users":
        let host = connection.headers["host"] ?? ""
        let users = (1...30).map { #"{"login": "user\#($0)", "avatar_url": "http://\#(host)/avatars/\#($0)"}"# }
        connection.reply("200 OK", ["Content-Type: application/json"], Data("[\(users.joined(separator: ","))]".utf8))
      case "/users/technoweenie":
        connection.reply("200 OK", ["Content-Type: application/json"], Data(#"{"name": "risk danger olson"}"#.utf8))
      default:
        _ = connection.body()
        connection.reply("200 OK", [], Data(count: 100_000))
      }
    }
  }

  func testDataTaskResolvesThePromise() throws {
    let request = URLRequest(url: try XCTUnwrap(URL(string: makeServer().address("/data"))))
    let promise = Promise<Data> { resolve, reject, task in  // `task` is in-out parameter
      task = URLSession.shared.dataTask(with: request) { data, response, error in
        guard error == nil else {
          reject(error!)
          return
        }
        resolve(data ?? Data())
      }
      task.resume()
    }
    XCTAssertEqual(outcome(promise.then { $0.count }), "100000")
  }

  func testCustomTaskIsCancelledWithItsPromise() {
    var timer: TimeOutTask?
    let begun = Gate()
    let promise = Promise<String>(.main) { resolve, reject, task in  // `task` is in-out parameter
      timer = TimeOutTask(timeOut: 3600) {
        resolve("timed out")  // Won't be called
      }
      task = timer
      task.resume()
      DispatchQueue.main.async { begun.open() }
    }
    .then { text in
      self.print(text)  // Won't be called
    }
    runMainQueue(until: begun)
    XCTAssertNotNil(timer?.work)
    promise.cancel()
    XCTAssertEqual(outcome(promise), "error: The Promise cancelled.")
    XCTAssertNil(timer?.work)
    XCTAssertEqual(log.entries, [])
    timer = nil
  }

  func testFetchDeliversJSON() throws {
    let server = try makeServer()
    let promise = fetch(server.address("/users/technoweenie"))
      .then { response in
        guard response.ok else {
          throw response.statusCodeDescription
        }

        guard let json = response.json as? [String: Any] else {
          throw "No JSON"
        }

        if let name = json["name"] as? String {
          self.print(name)
        }
      }
      .catch { error in
        self.print(error.localizedDescription)
      }
    XCTAssertEqual(outcome(promise.then { self.log.entries }), #"["risk danger olson"]"#)
  }

  func testFetchWithParametersSucceeds() throws {
    let url = try makeServer().address("/post")
    let data = Data("data".utf8)
    let promise = async {
      let response = try fetch(
        url,
        method: .POST,
        headers: ["Accept-Encoding": "br, gzip, deflate"],
        body: data
      ).await()

      self.print(response.ok)
    }
    .catch { error in
      self.print(error.localizedDescription)
    }
    XCTAssertEqual(outcome(promise.then { self.log.entries }), #"["true"]"#)
  }

  func testFetchOfASessionSucceeds() throws {
    let url = try makeServer().address("/data")
    let config = URLSessionConfiguration.default
    config.timeoutIntervalForRequest = 120
    config.httpAdditionalHeaders = ["Accept-Encoding": "br, gzip, deflate"]
    let session = URLSession(configuration: config)

    let promise = async {
      let response = try session.fetch(url).await()
      self.print(response.data?.count ?? 0)
    }
    .catch { error in
      self.print(error.localizedDescription)
    }
    XCTAssertEqual(outcome(promise.then { self.log.entries }), #"["100000"]"#)
  }

  func testDownloadReportsProgressAndWritesAFile() throws {
    let url = try makeServer().address("/1MB.zip")
    let promise = async {
      let response = try download(url) { task, written, total in
        let percent = Double(written) / Double(total)
        self.print(percent)
      }.await()

      guard response.ok else {
        throw response.statusCodeDescription
      }

      guard let location = response.location else {
        throw "No location"
      }

      self.print(try Data(contentsOf: location).count)
      try FileManager.default.removeItem(at: location)
    }
    .catch { error in
      self.print(error.localizedDescription)
    }
    XCTAssertEqual(outcome(promise.then { Array(self.log.entries.suffix(2)) }), #"["1.0", "100000"]"#)
  }

  func testUploadReportsProgressAndSucceeds() throws {
    let url = try makeServer().address("/upload")
    let data = Data(count: 500_000)
    let promise = async {
      let response = try upload(url, data: data) { task, sent, total in
        let percent = Double(sent) / Double(total)
        self.print(percent)
      }.await()

      guard response.ok else {
        throw response.statusCodeDescription
      }

      self.print("Uploaded")
    }
    .catch { error in
      self.print(error.localizedDescription)
    }
    XCTAssertEqual(outcome(promise.then { Array(self.log.entries.suffix(2)) }), #"["1.0", "Uploaded"]"#)
  }

  func testThenLoadsAllAvatars() throws {
    let server = try makeServer()
    let promise = fetch(server.address("/users"))  // Load json with users
      .then { response -> [User] in
        guard response.ok else {
          throw response.statusCodeDescription
        }

        guard let data = response.data else {
          throw "No data"
        }

        return try JSONDecoder().decode([User].self, from: data)  // Parse json
      }
      .then { users -> Promise<[HTTPResponse]> in
        return Promise.all(
          users
            .map { $0.avatar_url }
            .map { fetch($0) }
        )
      }
      .then { responses in
        responses
          .compactMap { $0.data }
          .compactMap { Image(data: $0) }  // Create array of images
      }
      .then(.main) { images in
        self.print(images.count)  // Print a count of images on the main queue
      }
      .catch { error in
        self.print(error.localizedDescription)
      }
    XCTAssertEqual(outcome(promise.then { self.log.entries }), #"["30"]"#)
  }

  func testAwaitLoadsAllAvatars() throws {
    let server = try makeServer()
    wait { expectation in
      async {
        let response = try fetch(server.address("/users")).await()
        guard response.ok else {
          throw response.statusCodeDescription
        }

        guard let data = response.data else {
          throw "No data"
        }

        let users = try JSONDecoder().decode([User].self, from: data)

        let images =
          try async.all(
            users
              .map { $0.avatar_url }
              .map { fetch($0) }
          ).await()
          .compactMap { $0.data }
          .compactMap { Image(data: $0) }

        async(.main) {
          self.print(images.count)
          expectation.fulfill()
        }
      }
      .catch { error in
        self.print(error.localizedDescription)
        expectation.fulfill()
      }
    }
    XCTAssertEqual(log.entries, ["30"])
  }
}
