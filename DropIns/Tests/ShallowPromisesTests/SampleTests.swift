import ShallowPromises
import TestSupport
import XCTest

// The samples of ShallowPromises' README. The functions that the samples assume (`requestUser`, `updateFavorites`, …)
// are defined here.

private struct User: Codable, Equatable {
  let name: String
}

private struct NotANumber: Error, Equatable {
  let text: String
}

final class SampleTests: XCTestCase {
  /// Suspended while callbacks are registered, because a callback that is registered late and has no queue runs on its
  /// caller.
  private let networkingQueue = DispatchQueue(label: "networking")
  private let responseQueue = DispatchQueue(label: "responses")
  /// The server's answer.
  private var data = Data(#"{"name": "Ada"}"#.utf8)
  /// The events, with the queue of each.
  private let log = Recorder<String>()
  private var finished = XCTestExpectation(description: "finally")

  private func record(_ event: String) {
    log.record("\(event) on \(Thread.isMainThread ? "main" : currentQueueLabel)")
  }

  private func requestUser() -> Promise<User> {
    let promise = Promise<User>()
    networkingQueue.async { [data, responseQueue] in
      do {
        let result = try JSONDecoder().decode(User.self, from: data)
        promise.fulfill(with: result, in: responseQueue)
      } catch {
        promise.complete(with: error, in: responseQueue)
      }
    }
    return promise
  }

  private func requestFavorites(of user: User) -> Promise<[String]> {
    let promise = Promise<[String]>()
    networkingQueue.async { [responseQueue] in promise.fulfill(with: ["book of \(user.name)"], in: responseQueue) }
    return promise
  }

  private func updateFavorites(_ favorites: [String]) { record(favorites.joined()) }
  private func logError(_ error: Error) { record(error is DecodingError ? "unreadable" : "\(error)") }
  private func updateView() {
    record("view")
    finished.fulfill()
  }

  func testFavoritesAreShownOrAnErrorIsLogged() {
    for (text, expected) in [(#"{"name": "Ada"}"#, "book of Ada"), ("nobody", "unreadable")] {
      (data, finished) = (Data(text.utf8), XCTestExpectation(description: "finally"))
      log.removeAll()
      networkingQueue.suspend()
      requestUser()
        .then(requestFavorites(of:))
        .onSuccess(updateFavorites)
        .onError(logError)
        .finally(updateView)
      networkingQueue.resume()
      wait(for: [finished], timeout: 60)
      XCTAssertEqual(log.entries, ["\(expected) on responses", "view on responses"])
    }
  }

  // Chaining.

  private func requestInt(from text: String) -> Promise<Int> {
    let promise = Promise<Int>()
    networkingQueue.async {
      if let number = Int(text) {
        promise.fulfill(with: number)
      } else {
        promise.complete(with: NotANumber(text: text))
      }
    }
    return promise
  }

  private func requestString(from number: Int) -> Promise<String> {
    let promise = Promise<String>()
    networkingQueue.async { promise.fulfill(with: "\(number)") }
    return promise
  }

  func testChainOfRequestsDeliversItsResult() {
    networkingQueue.suspend()
    requestInt(from: "1")
      .then(requestString(from:))
      .then(requestInt(from:))
      .then(requestString(from:))
      .onSuccess { result in
        self.record(result)
        self.finished.fulfill()
      }
    networkingQueue.resume()
    wait(for: [finished], timeout: 60)
    XCTAssertEqual(log.entries, ["1 on networking"])
  }

  // Closures and queues.

  func testClosureWithAQueueRunsOnIt() {
    requestInt(from: "1").onSuccess(in: .main) { result in
      self.record("in main queue: \(result)")
      self.finished.fulfill()
    }
    wait(for: [finished], timeout: 60)
    XCTAssertEqual(log.entries, ["in main queue: 1 on main"])
  }

  // Cancelling.

  func testCancelRunsTheErrorHandlerOnce() {
    networkingQueue.suspend()
    let promise = requestUser().onError(logError)
    promise.cancel()
    XCTAssertEqual(log.entries, ["cancelled on main"])
    networkingQueue.resume()
    networkingQueue.sync {}
    XCTAssertEqual(log.entries, ["cancelled on main"], "what comes too late changes nothing")
  }
}
