import Foundation
import Overmorrow
import OvermorrowFoundation
import OvermorrowTesting
import Testing

/// The samples of the guide to operations.
@Suite(.inTurn) struct OperationsGuideTests {
  private func render() -> String { "picture" }

  @Test("17.1 the guide's picture is rendered on the queue")
  func picture() async {
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 2
    let picture = Promise<String, Never>(on: .operationQueue(queue)) { resolver in resolver.fulfill(with: render()) }
      .map(on: .operationQueue(queue)) { $0.uppercased() }
    #expect(await expectFulfilled(picture, within: patience) == "PICTURE")
  }

  @Test("17.4 the guide's unpacking waits for its download")
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

  @Test("17.4 the sample of the comment: unpacking depends on its download")
  func comment() async {
    @Sendable func load(_ source: String) -> Promise<Data, any Error> { Promise(fulfilled: Data(source.utf8)) }
    @Sendable func unpack(_ data: Data) -> [String] { data.map { String(UnicodeScalar($0)) } }
    func unpacked(_ source: String, on queue: OperationQueue) -> Promise<[String], any Error> {
      let download = PromiseOperation<Data, any Error>(on: .immediate) { resolver in
        resolver.resolve(with: load(source))
      }
      let unpacking = PromiseOperation<[String], any Error>(on: .immediate) { resolver in
        resolver.resolve(with: download.promise.map(on: .immediate) { unpack($0) })
      }
      unpacking.addDependency(download)
      queue.addOperations([download, unpacking], waitUntilFinished: false)
      return unpacking.promise
    }
    #expect(await expectFulfilled(unpacked("ab", on: OperationQueue()), within: patience) == ["a", "b"])
  }
}
