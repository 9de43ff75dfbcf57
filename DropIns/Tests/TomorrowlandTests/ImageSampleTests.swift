import Tomorrowland
import XCTest

// The samples of Tomorrowland's README that show images; see `SampleTests`.

private let url = URL(string: "https://example.org/")!

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

final class ImageSampleTests: XCTestCase {
  func testImageViewShowsTheLastImageAndCancelsTheEarlierLoad() {
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

  func testImageViewWithTokenShowsTheLastImage() {
    let view = onMain { TokenImageView() }
    onMain { view.loadImage(from: url) }
    let (first, firstEnd) = (URLSession.shared.last, onMain { view.end! })
    onMain { view.loadImage(from: url) }
    XCTAssertTrue(first.isCancelled)
    assertCancelled(firstEnd)
    URLSession.shared.last.complete(Data("image 3".utf8), nil)
    result(of: onMain { view.end! })
    XCTAssertEqual(onMain { view.image?.name }, "image 3")
    onMain { view.loadImage(from: url) }
    URLSession.shared.last.complete(Data("text".utf8), nil)
    assertRejected(onMain { view.end! }, TokenImageView.LoadError.dataIsNotImage)
    XCTAssertEqual(onMain { view.image?.name }, "image 3")
  }

  func testReleasedImageViewCancelsItsLoad() {
    let view = Box<TokenImageView?>(onMain { TokenImageView() })
    onMain { view.value!.loadImage(from: url) }
    let task = URLSession.shared.last
    onMain { view.value = nil }
    XCTAssertTrue(task.isCancelled)
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

  func testNowOrShowsAnAvailableImageAtOnceAndALaterOneAnimated() {
    let image = UIImage(data: Data("image".utf8))!
    let (promise, resolver) = StdPromise<UIImage>.makeWithResolver()
    let (now, later) = onMain { (UIImageView(), UIImageView()) }
    onMain {
      UIView.durations = []
      ImageSampleTests.show(StdPromise(fulfilled: image), in: now)
      ImageSampleTests.show(promise, in: later)
    }
    XCTAssertTrue(onMain { now.image === image })
    resolver.fulfill(with: image)
    XCTAssertNil(onMain { later.image })
    passMain()
    XCTAssertTrue(onMain { later.image === image })
    XCTAssertEqual(onMain { UIView.durations }, [0, 0.25])
  }
}
