import Tomorrowland
import XCTest

// The samples of Tomorrowland's readme, as they stand there as far as that says what their types are. (The pages that
// tell of them have lost what stood in angle brackets.)

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

  let log = Log()
  let credentials: StdPromise<(name: String, password: String)>

  init(password: String) {
    credentials = Promise(on: .utility, { $0.fulfill(with: (name: "me", password: password)) })
  }

  func showLoadingIndicator() { log.add("show") }
  func hideLoadingIndicator() { log.add("hide") }
  func transitionToLoggedInState() { log.add("logged in") }
  func displayError(_ error: Error) { log.add("\(error)") }
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

private class URLImageView: UIImageView {
  private var promise: StdPromise<Data>?
  private let invalidationToken = PromiseInvalidationToken()

  enum LoadError: Error {
    case dataIsNotImage
  }

  /// Loads an image from the URL and displays it in the image view.
  func loadImage(from url: URL) {
    promise?.requestCancel()
    invalidationToken.invalidate()
    promise = URLSession.shared.dataTaskAsPromise(with: url)
    // Use `_ =` to avoid having to handle errors with `.catch`.
    _ = promise?.tryMap(
      on: .utility,
      { (data) -> UIImage in
        if let image = UIImage(data: data) {
          return image
        } else {
          throw LoadError.dataIsNotImage
        }
      }
    ).then(
      token: invalidationToken,
      { [weak self] (image) in
        self?.image = image
      })
  }
}

private class TokenImageView: UIImageView {
  private let promiseToken = PromiseInvalidationToken()
  var end: StdPromise<UIImage>?

  enum LoadError: Error {
    case dataIsNotImage
  }

  /// Loads an image from the URL and displays it in the image view.
  func loadImage(from url: URL) {
    promiseToken.invalidate()
    end = URLSession.shared.dataTaskAsPromise(with: url).tryMap(
      on: .utility,
      { (data) -> UIImage in
        if let image = UIImage(data: data) {
          return image
        } else {
          throw LoadError.dataIsNotImage
        }
      }
    ).then(
      token: promiseToken,
      { [weak self] (image) in
        self?.image = image
      }
    ).requestCancelOnInvalidate(promiseToken)
  }
}

@MainActor private final class ModelScreen {
  private let promiseToken = PromiseInvalidationToken()
  let log = Log()
  var source = Source<Error>()

  func updateUI(with model: Int) { log.add("model \(model)") }
  func handleError(_ error: Error) { log.add("\(error)") }

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
    sources.append(Source())
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
  private func onMain<T>(_ body: @MainActor () throws -> T) rethrows -> T {
    try MainActor.assumeIsolated { Unchecked(value: try body()) }.value
  }

  private struct Unchecked<T>: @unchecked Sendable {
    let value: T
  }

  /// Lets the main queue run what it has.
  private func passMain() {
    let passed = XCTestExpectation(description: "the main queue has passed")
    DispatchQueue.main.async { passed.fulfill() }
    wait(for: [passed], timeout: 20)
  }

  func testFeed() {
    let screen = onMain { FeedScreen() }
    let promise = onMain { screen.load(for: "me") }
    XCTAssertTrue(onMain { UIApplication.shared.isNetworkActivityIndicatorVisible })
    result(of: promise)
    XCTAssertEqual(onMain { screen.items }, ["news for me"])
    XCTAssertFalse(onMain { UIApplication.shared.isNetworkActivityIndicatorVisible })
  }

  func testFeedThatFails() {
    let screen = onMain { FeedScreen() }
    result(of: onMain { screen.load(for: "") })
    XCTAssertEqual(onMain { screen.error as? TestError }, TestError(id: 1))
    XCTAssertFalse(onMain { UIApplication.shared.isNetworkActivityIndicatorVisible })
  }

  func testCreating() {
    @Sendable func expensiveCalculation() throws -> String { "expensive" }
    let promise = Promise<String, Error>(
      on: .utility,
      { (resolver) in
        let value = try expensiveCalculation()
        resolver.fulfill(with: value)
      })
    assertFulfilled(promise, "expensive")
  }

  func testCreatingWithAnErrorThrown() {
    @Sendable func expensiveCalculation() throws -> String { throw TestError(id: 3) }
    let promise = Promise<String, Error>(
      on: .utility,
      { (resolver) in
        let value = try expensiveCalculation()
        resolver.fulfill(with: value)
      })
    assertRejected(promise, TestError(id: 3))
  }

  func testDataTask() {
    let session = URLSession()
    let promise = session.dataTaskAsPromise(with: url)
    XCTAssertTrue(session.last.isResumed)
    session.last.complete(Data("foo".utf8), nil)
    assertFulfilled(promise, Data("foo".utf8))
  }

  func testDataTaskThatFails() {
    let session = URLSession()
    let promise = session.dataTaskAsPromise(with: url)
    session.last.complete(nil, TestError(id: 4))
    assertRejected(promise, TestError(id: 4))
  }

  func testDataTaskThatIsCancelled() {
    let session = URLSession()
    let promise = session.dataTaskAsPromise(with: url)
    promise.requestCancel()
    XCTAssertTrue(session.last.isCancelled)
    assertCancelled(promise)
  }

  func testGeocoder() {
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

  func testLogin() {
    let screen = onMain { LoginScreen(password: "secret") }
    result(of: onMain { screen.login() })
    XCTAssertEqual(onMain { screen.log.events }, ["show", "logged in", "hide"])
    XCTAssertEqual(onMain { LoginScreen.MyAPI.apiKey }, "key of me")
  }

  func testLoginThatFails() {
    let screen = onMain { LoginScreen(password: "wrong") }
    result(of: onMain { screen.login() })
    XCTAssertEqual(onMain { screen.log.events }, ["show", "hide", "\(TestError(id: 2))"])
  }

  func testImageView() {
    let view = onMain { URLImageView() }
    onMain { view.loadImage(from: url) }
    let first = URLSession.shared.last
    onMain { view.loadImage(from: url) }
    XCTAssertTrue(first.isCancelled)
    URLSession.shared.last.complete(Data("image 2".utf8), nil)
    let shown = expectation(description: "shown")
    func poll() {
      if onMain({ view.image?.name }) == "image 2" { shown.fulfill() } else { DispatchQueue.main.async { poll() } }
    }
    poll()
    wait(for: [shown], timeout: 20)
  }

  func testImageViewWithToken() {
    let view = onMain { TokenImageView() }
    onMain { view.loadImage(from: url) }
    let (first, firstEnd) = (URLSession.shared.last, onMain { view.end! })
    onMain { view.loadImage(from: url) }
    XCTAssertTrue(first.isCancelled)
    assertCancelled(firstEnd)
    URLSession.shared.last.complete(Data("image 3".utf8), nil)
    result(of: onMain { view.end! })
    XCTAssertEqual(onMain { view.image?.name }, "image 3")
  }

  func testImageViewWithTokenAndNoImage() {
    let view = onMain { TokenImageView() }
    onMain { view.loadImage(from: url) }
    URLSession.shared.last.complete(Data("text".utf8), nil)
    assertRejected(onMain { view.end! }, TokenImageView.LoadError.dataIsNotImage)
    XCTAssertNil(onMain { view.image })
  }

  func testImageViewThatGoesAwayCancels() {
    let view = Box<TokenImageView?>(onMain { TokenImageView() })
    onMain { view.value!.loadImage(from: url) }
    let task = URLSession.shared.last
    onMain { view.value = nil }
    XCTAssertTrue(task.isCancelled)
  }

  func testModel() {
    for load in [ModelScreen.loadModelWithoutTokenPromise, ModelScreen.loadModel] {
      let screen = onMain { ModelScreen() }
      let first = onMain { screen.source }
      onMain { load(screen)() }
      onMain { screen.source = Source() }
      let second = onMain { screen.source }
      onMain { load(screen)() }
      XCTAssertEqual([first.requests.count, second.requests.count], [1, 0])
      first.resolver.fulfill(with: 1)
      second.resolver.fulfill(with: 2)
      passMain()
      XCTAssertEqual(onMain { screen.log.events }, ["model 2"])
    }
  }

  func testModelThatFails() {
    for load in [ModelScreen.loadModelWithoutTokenPromise, ModelScreen.loadModel] {
      let screen = onMain { ModelScreen() }
      onMain { load(screen)() }
      onMain { screen.source }.resolver.reject(with: TestError(id: 5))
      passMain()
      XCTAssertEqual(onMain { screen.log.events }, ["\(TestError(id: 5))"])
    }
  }

  func testResources() {
    let resources = Resources()
    let (first, second) = (resources.loadResource(at: url), resources.loadResource(at: url))
    XCTAssertEqual(resources.sources.count, 1)
    first.requestCancel()
    XCTAssertEqual(resources.sources[0].requests.count, 0)
    second.requestCancel()
    assertCancelled(second)
    XCTAssertEqual(resources.sources[0].requests.count, 1)
    XCTAssertNil(resources.resourceLoads[url])
    let third = resources.loadResource(at: url)
    XCTAssertEqual(resources.sources.count, 2)
    resources.sources[1].resolver.fulfill(with: 3)
    assertFulfilled(third, 3)
  }

  @MainActor private static func show(_ promise: StdPromise<UIImage>, in imageView: UIImageView) {
    promise
      .then(
        on: .nowOr(.main),
        { [weak imageView] (image) in
          guard let imageView = imageView else { return }
          let duration: TimeInterval =
            PromiseContext.isExecutingNow
            ? 0  // no transition if we're synchronous
            : 0.25
          UIView.transition(
            with: imageView, duration: duration, options: .transitionCrossDissolve,
            animations: {
              imageView.image = image
            })
        })
  }

  func testNowOrWithAnImageThatIsThere() {
    let image = UIImage(data: Data("image".utf8))!
    onMain {
      UIView.durations = []
      let view = UIImageView()
      SampleTests.show(StdPromise(fulfilled: image), in: view)
      XCTAssertTrue(view.image === image)
      XCTAssertEqual(UIView.durations, [0])
    }
  }

  func testNowOrWithAnImageThatComesLater() {
    let image = UIImage(data: Data("image".utf8))!
    let (promise, resolver) = StdPromise<UIImage>.makeWithResolver()
    let view = onMain { UIImageView() }
    onMain {
      UIView.durations = []
      SampleTests.show(promise, in: view)
    }
    resolver.fulfill(with: image)
    XCTAssertNil(onMain { view.image })
    passMain()
    XCTAssertTrue(onMain { view.image === image })
    XCTAssertEqual(onMain { UIView.durations }, [0.25])
  }
}
