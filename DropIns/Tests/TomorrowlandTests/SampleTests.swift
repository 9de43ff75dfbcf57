import Tomorrowland
import XCTest

// The samples of Tomorrowland's README, verbatim where the types are known. (The published pages have lost the text in
// angle brackets.)

private let url = URL(string: "https://example.org/")!

/// "…is a wrapper around an asynchronous task that provides a standard way of subscribing to task resolution"
@MainActor private final class FeedScreen {
  enum MyAPI {
    static func requestFeed(for user: String) -> StdPromise<[String]> {
      user == ""
        ? StdPromise(rejected: TestError(id: 1)) : Promise(on: .utility, { $0.fulfill(with: ["news for \(user)"]) })
    }
  }

  var items: [String] = []
  var error: Error?

  func refreshUI(with items: [String]) { self.items = items }

  func showError(_ error: Error) { self.error = error }

  func load(for user: String) -> StdPromise<[String]> {
    UIApplication.shared.isNetworkActivityIndicatorVisible = true
    return MyAPI.requestFeed(for: user).then { (feedItems) in
      self.refreshUI(with: feedItems)
    }.catch { (error) in
      self.showError(error)
    }.always { _ in
      UIApplication.shared.isNetworkActivityIndicatorVisible = false
    }
  }
}

@MainActor private final class LoginScreen {
  enum MyAPI {
    static var apiKey: String?

    static func login(name: String, password: String) -> StdPromise<String> {
      password == "secret" ? StdPromise(fulfilled: "key of \(name)") : StdPromise(rejected: TestError(id: 2))
    }
  }

  let log = Recorder<String>()
  let credentials: StdPromise<(name: String, password: String)>

  init(password: String) {
    credentials = Promise(on: .utility, { $0.fulfill(with: (name: "me", password: password)) })
  }

  func showLoadingIndicator() { log.record("show") }
  func hideLoadingIndicator() { log.record("hide") }
  func transitionToLoggedInState() { log.record("logged in") }
  func displayError(_ error: Error) { log.record("\(error)") }
  func fetchUserCredentials() -> StdPromise<(name: String, password: String)> { credentials }

  func login() -> StdPromise<String> {
    showLoadingIndicator()
    return fetchUserCredentials().flatMap(on: .default) { (credentials) in
      // This returns a new promise
      return MyAPI.login(name: credentials.name, password: credentials.password)
    }.then { [weak self] (apiKey) in
      // this is invoked when the promise returned by MyAPI.login fulfills.
      MyAPI.apiKey = apiKey
      self?.transitionToLoggedInState()
    }.always { [weak self] _ in
      // This is always invoked regardless of whether the previous chain was
      // fulfilled, rejected, or cancelled.
      self?.hideLoadingIndicator()
    }.catch { [weak self] (error) in
      // this handles any error returned from the previous chain, meaning any error
      // from `fetchUserCredentials()` or from `MyAPI.login(name:password:)`.
      self?.displayError(error)
    }
  }
}

@MainActor private final class ModelScreen {
  private let promiseToken = PromiseInvalidationToken()
  let log = Recorder<String>()
  var source = Source<Error>(complying: true)

  func updateUI(with model: Int) { log.record("model \(model)") }
  func handleError(_ error: Error) { log.record("\(error)") }

  func loadModelWithoutTokenPromise() {
    promiseToken.invalidate()
    source.take()
      .then(
        token: promiseToken,
        { [weak self] (model) in
          self?.updateUI(with: model)
        }
      ).catch(
        token: promiseToken,
        { [weak self] (error) in
          self?.handleError(error)
        }
      ).requestCancelOnInvalidate(promiseToken)
  }

  func loadModel() {
    promiseToken.invalidate()
    source.take()
      .withToken(promiseToken)
      .then({ [weak self] (model) in
        self?.updateUI(with: model)
      }).catch({ [weak self] (error) in
        self?.handleError(error)
      })
  }
}

private final class Resources {
  var resourceLoads: [URL: StdPromise<Int>] = [:]
  var sources: [Source<Error>] = []

  func makeResourceRequest(for url: URL) -> StdPromise<Int> {
    sources.append(Source(complying: true))
    return sources.last!.take()
  }

  func loadResource(at url: URL) -> StdPromise<Int> {
    let promise: StdPromise<Int>
    if let existingPromise = resourceLoads[url] {
      promise = existingPromise
    } else {
      promise = makeResourceRequest(for: url).propagatingCancellation(
        on: .main,
        cancelRequested: { (promise) in
          if self.resourceLoads[url] == promise {
            self.resourceLoads[url] = nil
          }
        })
      resourceLoads[url] = promise
    }
    // Return a new child for each request so all clients have to cancel, not just one.
    return promise.makeChild()
  }
}

final class SampleTests: XCTestCase {
  func testFeedShowsItemsOrError() {
    let feeds: [(String, items: [String], error: TestError?)] = [
      ("me", ["news for me"], nil), ("", [], TestError(id: 1)),
    ]
    for (user, items, error) in feeds {
      let screen = onMain { FeedScreen() }
      let promise = onMain { screen.load(for: user) }
      XCTAssertTrue(onMain { UIApplication.shared.isNetworkActivityIndicatorVisible })
      result(of: promise)
      XCTAssertEqual(onMain { screen.items }, items, user)
      XCTAssertEqual(onMain { screen.error as? TestError }, error, user)
      XCTAssertFalse(onMain { UIApplication.shared.isNetworkActivityIndicatorVisible })
    }
  }

  func testBodyFulfilsOrThrows() {
    for calculated in [Result<String, Error>.success("expensive"), .failure(TestError(id: 3))] {
      @Sendable func expensiveCalculation() throws -> String { try calculated.get() }
      let promise = Promise<String, Error>(
        on: .utility,
        { (resolver) in
          let value = try expensiveCalculation()
          resolver.fulfill(with: value)
        })
      XCTAssertEqual(text(result(of: promise)), text(PromiseResult(calculated)))
    }
  }

  func testDataTaskFulfilsRejectsOrCancels() {
    let ends: [(String, (URLSession.Task, StdPromise<Data>) -> Void)] = [
      ("3 bytes", { task, _ in task.complete(Data("foo".utf8), nil) }),
      ("error TestError(id: 4)", { task, _ in task.complete(nil, TestError(id: 4)) }),
      ("cancelled", { _, promise in promise.requestCancel() }),
    ]
    for (expected, end) in ends {
      let session = URLSession()
      let promise = session.dataTaskAsPromise(with: url)
      XCTAssertTrue(session.last.isResumed, expected)
      end(session.last, promise)
      XCTAssertEqual(text(promise.result), expected)
      XCTAssertEqual(session.last.isCancelled, expected == "cancelled")
    }
  }

  func testGeocoderFulfilsRejectsOrCancels() {
    let geocoder = CLGeocoder()
    func locate(_ location: String) -> StdPromise<String> {
      Promise(
        on: .immediate,
        { (resolver) in
          geocoder.reverseGeocodeLocation(
            location, completionHandler: resolver.handleCallback(isCancelError: { CLError.geocodeCanceled ~= $0 }))
        })
    }
    geocoder.answer = ("London", nil)
    assertFulfilled(locate("51N 0W"), "London")
    geocoder.answer = (nil, CLError(code: .geocodeCanceled))
    assertCancelled(locate("51N 0W"))
    geocoder.answer = (nil, CLError(code: .network))
    XCTAssertEqual((locate("51N 0W").result?.error as? CLError)?.code, .network)
  }

  func testLoginReportsSuccessOrError() {
    for (password, events) in [
      ("secret", ["show", "logged in", "hide"]), ("wrong", ["show", "hide", "\(TestError(id: 2))"]),
    ] {
      let screen = onMain { LoginScreen(password: password) }
      result(of: onMain { screen.login() })
      XCTAssertEqual(onMain { screen.log.entries }, events)
    }
    XCTAssertEqual(onMain { LoginScreen.MyAPI.apiKey }, "key of me")
  }

  func testModelShowsTheLastLoad() {
    let results: [(PromiseResult<Int, Error>, shows: String)] = [
      (.value(2), "model 2"), (.error(TestError(id: 5)), "\(TestError(id: 5))"),
    ]
    for load in [ModelScreen.loadModelWithoutTokenPromise, ModelScreen.loadModel] {
      for (result, shows) in results {
        let screen = onMain { ModelScreen() }
        let first = onMain { screen.source }
        onMain { load(screen)() }
        onMain { screen.source = Source(complying: true) }
        let second = onMain { screen.source }
        onMain { load(screen)() }
        XCTAssertEqual([first.requestCount, second.requestCount], [1, 0])
        first.resolver.fulfill(with: 1)
        second.resolver.resolve(with: result)
        passMain()
        XCTAssertEqual(onMain { screen.log.entries }, [shows])
      }
    }
  }

  func testResourceLoadIsCancelledWithItsLastChild() {
    let resources = Resources()
    let (first, second) = (resources.loadResource(at: url), resources.loadResource(at: url))
    XCTAssertEqual(resources.sources.count, 1)
    first.requestCancel()
    XCTAssertEqual(resources.sources[0].requestCount, 0)
    second.requestCancel()
    assertCancelled(second)
    XCTAssertEqual(resources.sources[0].requestCount, 1)
    XCTAssertNil(resources.resourceLoads[url])
    let third = resources.loadResource(at: url)
    XCTAssertEqual(resources.sources.count, 2)
    resources.sources[1].resolver.fulfill(with: 3)
    assertFulfilled(third, 3)
  }
}
