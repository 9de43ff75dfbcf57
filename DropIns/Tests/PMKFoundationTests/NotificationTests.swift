import PMKFoundation
import PromiseKit
import XCTest

final class NotificationTests: PMKFoundationTestCase {
  private let posted = Notification.Name("PMKFoundationTests")

  func testGuaranteeHasTheFirstNotification() throws {
    let center = NotificationCenter()
    let guarantee = center.observe(once: posted)
    center.post(name: Notification.Name("other"), object: nil)
    XCTAssertTrue(guarantee.isPending)
    center.post(name: posted, object: nil, userInfo: ["number": 1])
    center.post(name: posted, object: nil, userInfo: ["number": 2])
    XCTAssertEqual(try value(guarantee).userInfo?["number"] as? Int, 1)
  }

  func testOnlyTheGivenObjectCounts() {
    let (center, sender) = (NotificationCenter(), NSObject())
    let guarantee = center.observe(once: posted, object: sender)
    center.post(name: posted, object: NSObject())
    XCTAssertTrue(guarantee.isPending)
    center.post(name: posted, object: sender)
    XCTAssertTrue(guarantee.value?.object as? NSObject === sender)
  }

  func testGuaranteeIsFulfilledOnThePostingThread() throws {
    let (center, posted) = (NotificationCenter(), posted)
    let here = expectation(description: "the step has run")
    center.observe(once: posted).done(on: nil) { _ in
      XCTAssertFalse(Thread.isMainThread)
      here.fulfill()
    }
    DispatchQueue.global().async { center.post(name: posted, object: nil) }
    wait(for: [here], timeout: 60)
  }

  func testObserverIsRemovedInsideThePost() {
    weak var sender: NSObject?
    let center = NotificationCenter()
    do {
      // The center retains nothing of an observer that it no longer has.
      let object = NSObject()
      sender = object
      let guarantee = center.observe(once: posted, object: object)
      center.post(name: posted, object: object)
      XCTAssertTrue(guarantee.isResolved)
    }
    XCTAssertNil(sender)
  }
}
