import Foundation
import Overmorrow
import OvermorrowFoundation
import OvermorrowTesting
import Testing

/// The samples of the guide to operations.
@Suite(.inTurn) struct OperationsGuideTests {
  private func render() -> String { "picture" }

  @Test("the guide's picture is rendered on the queue")
  func picture() async {
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 2
    let picture = Promise<String, Never>(on: .operationQueue(queue)) { resolver in resolver.fulfill(with: render()) }
      .map(on: .operationQueue(queue)) { $0.uppercased() }
    #expect(await expectFulfilled(picture, within: patience) == "PICTURE")
  }

  @Test("the guide's unpacking waits for its download")
  func unpacking() async {
    let queue = OperationQueue()
    let download = PromiseOperation<String, any Error>(on: .immediate) { resolver in resolver.fulfill(with: "a b") }
    let unpacking = PromiseOperation<[Substring], any Error>(on: .immediate) { resolver in
      resolver.resolve(with: download.promise.map(on: .immediate) { $0.split(separator: " ") })
    }
    unpacking.addDependency(download)
    queue.addOperation(unpacking)
    queue.addOperation(download)
    #expect(await expectFulfilled(unpacking.promise, within: patience) == ["a", "b"])
  }
}
