import Overmorrow
import TestSupport
import Testing

@testable import GalleryKit

@Suite struct WhenAllFinishedTests {
  private let pending: [(promise: Promise<Int, String>, resolver: Promise<Int, String>.Resolver)]

  init() {
    pending = (0..<3).map { _ in Promise.makeWithResolver() }
  }

  @Test func `values come in the order of the promises`() {
    let all = whenAllFinished(pending.map(\.promise))
    for index in [2, 0, 1] { pending[index].resolver.fulfill(with: index) }
    #expect(all.result == .value([0, 1, 2]))
  }

  @Test func `a failure or a cancellation counts, but not before the last promise is resolved`() {
    let all = whenAllFinished(pending.map(\.promise))
    pending[2].resolver.reject(with: "late")
    pending[1].resolver.cancel()
    #expect(all.result == nil)
    pending[0].resolver.fulfill(with: 0)
    #expect(all.result == .cancelled)
  }

  @Test func `nothing to wait for is no reason to wait`() {
    #expect(whenAllFinished([Promise<Int, String>]()).result == .value([]))
  }

  @Test func `a request to cancel reaches every promise`() {
    let resolvers = Recorder<Promise<Int, String>.Resolver>()
    let jobs = (0..<3).map { _ in
      Promise<Int, String>(on: .immediate) { resolver in
        resolver.onRequestCancel(on: .immediate) { $0.cancel() }
        resolvers.record(resolver)
      }
    }
    // The jobs are handed on, since nobody may hold on to a promise that is to be cancelled through others.
    let all = whenAllFinished(consume jobs)
    all.requestCancel()
    #expect(all.result == .cancelled)
    #expect(resolvers.elements.map(\.hasRequestedCancel) == [true, true, true])
  }
}
