import Dispatch
import Overmorrow
import TestSupport
import Testing

@testable import GalleryKit

@Suite struct ReporterTests {
  private let token = PromiseInvalidationToken()
  private let received = Recorder<Int>()

  private func reporter(on context: PromiseContext) -> Reporter {
    Reporter(on: context, token: token) { [received] event in
      if case .listed(let count) = event { received.record(count) }
    }
  }

  @Test func `events are delivered in order on their context`() {
    let queue = DispatchQueue(label: "events")
    let reporter = reporter(on: .queue(queue))
    for count in 1...3 { reporter(.listed(count: count)) }
    queue.sync {}
    #expect(received.elements == [1, 2, 3])
  }

  @Test func `an invalidation suppresses waiting and new events`() {
    let queue = DispatchQueue(label: "events")
    let reporter = reporter(on: .queue(queue))
    queue.sync {
      reporter(.listed(count: 1))
      token.invalidate()
      reporter(.listed(count: 2))
    }
    reporter(.listed(count: 3))
    queue.sync {}
    #expect(received.elements.isEmpty)
  }

  @Test func `cancelWithoutInvalidating also suppresses events`() {
    let reporter = reporter(on: .immediate)
    token.cancelWithoutInvalidating()
    reporter(.listed(count: 1))
    #expect(received.elements.isEmpty)
  }
}
