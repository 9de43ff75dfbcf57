import Overmorrow
import OvermorrowTesting
import Testing

@testable import Recipes

@MainActor @Suite(.checkedPromises) struct LocationTests {
  private struct NoSignal: Error {}

  private final class FakeManager: LocationManager {
    private(set) var log: [String] = []

    override func requestLocation() { log.append("request") }
    override func stop() { log.append("stop") }
  }

  private let clock = TestClock()
  private let manager = FakeManager()

  @Test("the delegate's answer fulfils the promise, and the delegate is then released")
  func answer() async {
    let place = Location(latitude: 52.5, longitude: 13.4)
    let promise = currentLocation(from: manager)
    manager.delegate?.locationManager(manager, didFind: place)
    #expect(expectFulfilled(promise) == place)
    #expect(manager.log == ["request"] && manager.delegate == nil)
  }

  @Test("the delegate's error rejects the promise")
  func error() {
    let promise = currentLocation(from: manager)
    manager.delegate?.locationManager(manager, didFail: NoSignal())
    #expect(expectRejected(promise) is NoSignal)
  }

  @Test("a request to cancel stops the manager")
  func cancel() async {
    let promise = currentLocation(from: manager)
    promise.requestCancel()
    await clock.advance(by: .zero)
    expectCancelled(promise)
    #expect(manager.log == ["request", "stop"] && manager.delegate == nil)
  }
}
