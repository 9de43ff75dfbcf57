import Tomorrowland
import XCTest

/// The sample of the guide to migrating from Tomorrowland: a chain, and the equivalent async function.
final class MigrationGuideTests: XCTestCase {
  private let image = Image(name: "avatar of Ada", isRounded: true)

  func testPromiseChainLoadsTheAvatar() {
    assertFulfilled(avatar(of: "Ada"), image)
    assertRejected(avatar(of: ""), TestError())
  }

  func testAsyncFunctionLoadsTheSameAvatar() async throws {
    let found = try await avatar(of: "Ada")
    XCTAssertEqual(found, image)
    do { XCTFail("\(try await avatar(of: ""))") } catch { XCTAssertTrue(error is TestError, "\(error)") }
  }
}

private struct Image: Sendable, Equatable {
  var name: String
  var isRounded = false

  func rounded() -> Image { Image(name: name, isRounded: true) }
}

private struct User: Sendable {
  let name: String

  func avatarURL() throws -> String {
    guard !name.isEmpty else { throw TestError() }
    return "avatar of \(name)"
  }
}

private func fetchUser(_ name: String) -> StdPromise<User> { StdPromise(fulfilled: User(name: name)) }

private func fetchImage(_ url: String) -> StdPromise<Image> { StdPromise(fulfilled: Image(name: url)) }

// before
private func avatar(of name: String) -> StdPromise<Image> {
  fetchUser(name)
    .tryFlatMap(on: .utility) { user in fetchImage(try user.avatarURL()) }
    .map(on: .utility) { $0.rounded() }
}

// after
private func avatar(of name: String) async throws -> Image {
  let user = try await fetchUser(name).value
  return try await fetchImage(user.avatarURL()).value.rounded()
}
