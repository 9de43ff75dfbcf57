import PromiseKit
import XCTest

private struct Session: Sendable {
  let user: String
}

@MainActor private var password = "secret"

@MainActor private func login() -> Promise<Session> {
  password == "secret" ? .value(Session(user: "eve")) : Promise(error: Trouble.first)
}

private func fetchAvatar(of user: String) -> Promise<String> { .value("avatar of \(user)") }

/// The sample of `Promise`.
@MainActor final class SampleTests: XCTestCase {
  private final class ImageView {
    var image: String?
  }

  private let imageView = ImageView()
  private var shown: [String] = []

  private func show(_ error: any Error) { shown.append("\(error)") }

  private func showAvatar() -> PMKFinalizer {
    firstly {
      login()
    }.then { session in
      fetchAvatar(of: session.user)
    }.done { image in
      self.imageView.image = image
    }.catch { error in
      self.show(error)
    }
  }

  private func showAvatarToTheEnd() async {
    let shown = expectation(description: "the image or the error is shown")
    showAvatar().finally { shown.fulfill() }
    await fulfillment(of: [shown], timeout: 60)
  }

  func testImageOrErrorIsShown() async {
    await showAvatarToTheEnd()
    password = ""
    await showAvatarToTheEnd()
    XCTAssertEqual(imageView.image, "avatar of eve")
    XCTAssertEqual(shown, ["first"])
  }
}
