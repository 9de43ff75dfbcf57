import Tomorrowland
import XCTest

final class TokenTests: XCTestCase {
  private let token = PromiseInvalidationToken()
  private let source = Source<String>()

  func testInvalidatingSuppressesACallback() {
    let promise = source.promise.then(on: .immediate, token: token) { _ in XCTFail("called") }
    token.invalidate()
    source.resolver.fulfill(with: 1)
    XCTAssertEqual(promise.result, .value(1))
  }

  func testInvalidatingCancelsWhereTheValueIsNeeded() {
    let map = source.promise.map(on: .immediate, token: token) { $0 }
    let flatMap = source.promise.flatMap(on: .immediate, token: token) { Promise<Int, String>(fulfilled: $0) }
    let mapResult = source.promise.mapResult(on: .immediate, token: token) { $0 }
    let flatMapResult = source.promise.flatMapResult(on: .immediate, token: token) { Promise<Int, String>(with: $0) }
    token.invalidate()
    source.resolver.fulfill(with: 1)
    assertCancelled(map)
    assertCancelled(flatMap)
    assertCancelled(mapResult)
    assertCancelled(flatMapResult)
  }

  func testInvalidatingCancelsWhereTheErrorIsNeeded() {
    let recover = source.promise.recover(on: .immediate, token: token) { _ in 1 }
    let mapError = source.promise.mapError(on: .immediate, token: token) { $0 }
    let flatMapError = source.promise.flatMapError(on: .immediate, token: token) {
      Promise<Int, Int>(fulfilled: $0.count)
    }
    let tryMapError = source.promise.tryMapError(on: .immediate, token: token) { _ in TestError() }
    token.invalidate()
    source.resolver.reject(with: "foo")
    assertCancelled(recover)
    assertCancelled(mapError)
    assertCancelled(flatMapError)
    assertCancelled(tryMapError)
  }

  func testInvalidatingLeavesWhatPassesByAlone() {
    let promise = source.promise.map(on: .immediate, token: token) { $0 + 1 }
    token.invalidate()
    source.resolver.reject(with: "foo")
    XCTAssertEqual(promise.result, .error("foo"))
  }

  func testInvalidatingSuppressesEachObserver() {
    source.promise.always(on: .immediate, token: token) { _ in XCTFail("always") }
    source.promise.tap(on: .immediate, token: token) { _ in XCTFail("tap") }
    source.promise.catch(on: .immediate, token: token) { _ in XCTFail("catch") }
    token.invalidate()
    source.resolver.reject(with: "foo")
  }

  func testInvalidatingSuppressesOnCancel() {
    source.promise.onCancel(on: .immediate, token: token) { XCTFail("called") }
    token.invalidate()
    source.resolver.cancel()
  }

  func testInvalidatingSuppressesThrowingForms() {
    let source = Source<Error>()
    let then = source.promise.tryThen(on: .immediate, token: token) { _ in XCTFail("called") }
    let map = source.promise.tryMap(on: .immediate, token: token) { $0 }
    let flatMap = source.promise.tryFlatMap(on: .immediate, token: token) { StdPromise(fulfilled: $0) }
    token.invalidate()
    source.resolver.fulfill(with: 1)
    assertFulfilled(then, 1)
    assertCancelled(map)
    assertCancelled(flatMap)
  }

  func testInvalidatingAfterResolvingButBeforeTheCallback() {
    let queue = DispatchQueue(label: "queue")
    queue.suspend()
    let token = PromiseInvalidationToken()
    let promise = Promise<Int, String>(fulfilled: 1).map(on: .queue(queue), token: token) { $0 }
    token.invalidate()
    queue.resume()
    assertCancelled(promise)
  }

  func testTokensAreReusable() {
    token.invalidate()
    let promise = Promise<Int, String>(fulfilled: 1).map(on: .immediate, token: token) { $0 + 1 }
    XCTAssertEqual(promise.result, .value(2))
  }

  func testOneTokenForSeveralCallbacks() {
    let sources = (0..<10).map { _ in Source<String>() }
    for source in sources { source.promise.then(on: .immediate, token: token) { _ in XCTFail("called") } }
    token.invalidate()
    for source in sources { source.resolver.fulfill(with: 1) }
  }

  func testAnotherTokenHasNoPart() {
    let (token, other) = (PromiseInvalidationToken(), PromiseInvalidationToken())
    let promise = source.promise.map(on: .immediate, token: token) { $0 }
    other.invalidate()
    source.resolver.fulfill(with: 1)
    XCTAssertEqual(promise.result, .value(1))
  }

  func testTokenWithTheDefaultContext() {
    let promise = Promise<Int, String>(fulfilled: 1).then(token: token, { _ in XCTFail("called") })
    token.invalidate()
    assertFulfilled(promise, 1)
  }

  // MARK: Cancelling

  func testRequestCancelOnInvalidate() {
    token.requestCancelOnInvalidate(source.promise)
    XCTAssertEqual(source.requests.count, 0)
    token.invalidate()
    XCTAssertEqual(source.requests.count, 1)
  }

  func testRequestCancelOnInvalidateOfThePromise() {
    XCTAssertEqual(source.promise.requestCancelOnInvalidate(token), source.promise)
    token.invalidate()
    XCTAssertEqual(source.requests.count, 1)
  }

  func testRequestCancelOnInvalidateIsForTheNextInvalidationOnly() {
    let source = Source<String>(cancels: false)
    token.invalidate()
    source.promise.requestCancelOnInvalidate(token)
    XCTAssertEqual(source.requests.count, 0)
    token.invalidate()
    XCTAssertEqual(source.requests.count, 1)
  }

  func testRequestCancelOnInvalidateDoesNotHoldThePromise() {
    let child = source.promise.map(on: .immediate) { $0 }
    source.take().requestCancelOnInvalidate(token)
    child.requestCancel()
    XCTAssertEqual(source.requests.count, 1)
  }

  func testCancelWithoutInvalidating() {
    let log = Log()
    source.promise.requestCancelOnInvalidate(token)
    source.promise.onCancel(on: .immediate, token: token) { log.add() }
    token.cancelWithoutInvalidating()
    XCTAssertEqual(source.requests.count, 1)
    XCTAssertEqual(log.count, 1)
  }

  func testInvalidatingSuppressesBeforeItCancels() {
    source.promise.requestCancelOnInvalidate(token)
    source.promise.always(on: .immediate, token: token) { _ in XCTFail("called") }
    token.invalidate()
    assertCancelled(source.promise)
  }

  // MARK: Going away

  func testTokenInvalidatesWhenItGoes() {
    let token = Box<PromiseInvalidationToken?>(PromiseInvalidationToken())
    source.promise.requestCancelOnInvalidate(token.value!)
    token.value = nil
    XCTAssertEqual(source.requests.count, 1)
  }

  func testTokenGoesWhilePromisesArePending() {
    // Before 1.0 a pending callback kept its token alive.
    let token = Box<PromiseInvalidationToken?>(PromiseInvalidationToken())
    source.promise.then(on: .immediate, token: token.value!) { _ in XCTFail("called") }
    token.value = nil
    source.resolver.fulfill(with: 1)
  }

  func testTokenThatDoesNotInvalidateOnDeinit() {
    let token = Box<PromiseInvalidationToken?>(PromiseInvalidationToken(invalidateOnDeinit: false))
    source.promise.requestCancelOnInvalidate(token.value!)
    let promise = source.promise.map(on: .immediate, token: token.value!) { $0 }
    token.value = nil
    XCTAssertEqual(source.requests.count, 0)
    source.resolver.fulfill(with: 1)
    XCTAssertEqual(promise.result, .value(1))
  }

  // MARK: Chaining

  func testChainInvalidation() {
    let (parent, child) = (PromiseInvalidationToken(), PromiseInvalidationToken())
    child.chainInvalidation(from: parent)
    let source = Source<String>()
    source.promise.requestCancelOnInvalidate(child)
    let promise = source.promise.mapResult(on: .immediate, token: child) { _ in PromiseResult<Int, String>.value(1) }
    parent.invalidate()
    XCTAssertEqual(source.requests.count, 1)
    assertCancelled(promise)
  }

  func testChainInvalidationDoesNotGoUp() {
    let (parent, child) = (PromiseInvalidationToken(), PromiseInvalidationToken())
    child.chainInvalidation(from: parent)
    let source = Source<String>()
    source.promise.requestCancelOnInvalidate(parent)
    child.invalidate()
    XCTAssertEqual(source.requests.count, 0)
  }

  func testChainInvalidationIsPermanent() {
    let (parent, child) = (PromiseInvalidationToken(), PromiseInvalidationToken())
    child.chainInvalidation(from: parent)
    for _ in 0..<3 {
      let source = Source<String>()
      source.promise.requestCancelOnInvalidate(child)
      parent.invalidate()
      XCTAssertEqual(source.requests.count, 1)
    }
  }

  func testChainInvalidationFollowsCancelWithoutInvalidating() {
    let (parent, child) = (PromiseInvalidationToken(), PromiseInvalidationToken())
    child.chainInvalidation(from: parent)
    let source = Source<String>()
    source.promise.requestCancelOnInvalidate(child)
    parent.cancelWithoutInvalidating()
    XCTAssertEqual(source.requests.count, 1)
  }

  func testChainInvalidationWithoutCancelWithoutInvalidating() {
    let (parent, child) = (PromiseInvalidationToken(), PromiseInvalidationToken())
    child.chainInvalidation(from: parent, includingCancelWithoutInvalidating: false)
    let source = Source<String>()
    source.promise.requestCancelOnInvalidate(child)
    parent.cancelWithoutInvalidating()
    XCTAssertEqual(source.requests.count, 0)
    parent.invalidate()
    XCTAssertEqual(source.requests.count, 1)
  }

  func testATreeOfTokens() {
    let root = PromiseInvalidationToken()
    let sources = (0..<4).map { _ in Source<String>() }
    let tokens = sources.map { source -> PromiseInvalidationToken in
      let token = PromiseInvalidationToken()
      token.chainInvalidation(from: root)
      source.promise.requestCancelOnInvalidate(token)
      return token
    }
    withExtendedLifetime(tokens) {
      tokens[0].invalidate()
      XCTAssertEqual(sources.map { $0.requests.count }, [1, 0, 0, 0])
      root.invalidate()
    }
    XCTAssertEqual(sources.map { $0.requests.count }, [1, 1, 1, 1])
  }

  func testADeadChildIsSkipped() {
    let (parent, other) = (PromiseInvalidationToken(), PromiseInvalidationToken())
    PromiseInvalidationToken().chainInvalidation(from: parent)
    other.chainInvalidation(from: parent)
    let source = Source<String>()
    source.promise.requestCancelOnInvalidate(other)
    parent.invalidate()
    XCTAssertEqual(source.requests.count, 1)
  }

  func testACycleOfTokensEnds() {
    let (one, two) = (PromiseInvalidationToken(), PromiseInvalidationToken())
    one.chainInvalidation(from: two)
    two.chainInvalidation(from: one)
    let source = Source<String>()
    source.promise.requestCancelOnInvalidate(two)
    one.invalidate()
    XCTAssertEqual(source.requests.count, 1)
  }

  func testTokensAreEqualByIdentity() {
    let copy = token
    XCTAssertEqual(token, copy)
    XCTAssertNotEqual(token, PromiseInvalidationToken())
    XCTAssertEqual(Set([token, copy]).count, 1)
  }

  func testTokensDescribeThemselves() {
    let (token, other) = (PromiseInvalidationToken(), PromiseInvalidationToken())
    XCTAssertTrue(token.description.contains("PromiseInvalidationToken"))
    XCTAssertNotEqual(token.description, other.description)
    XCTAssertTrue(token.debugDescription.contains("PromiseInvalidationToken"))
  }
}
