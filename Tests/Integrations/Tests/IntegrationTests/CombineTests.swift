import Overmorrow
import OvermorrowCombine
import OvermorrowTesting
import Testing

#if canImport(Combine)
  import Combine
#else
  import OpenCombine
#endif

@Suite struct CombineTests {
  @Test(
    "19.5 a publisher's first value or a request resolves the promise and cancels the subscription",
    arguments: [false, true])
  func firstPromise(isAsked: Bool) {
    let subject = PassthroughSubject<Int, any Error>()
    var cancelled = 0
    let promise = subject.handleEvents(receiveCancel: { cancelled += 1 }).firstPromise()
    expectPending(promise)
    if isAsked {
      promise.requestCancel()
      expectCancelled(promise)
    } else {
      subject.send(1)
      subject.send(2)
      #expect(expectFulfilled(promise) == 1)
    }
    #expect(cancelled == 1)
  }

  @Test("19.5 a publisher may have a value at once, fail, or finish without a value")
  func outcomes() {
    #expect(expectFulfilled(Just(7).firstPromise()) == 7)
    #expect(expectRejected(Fail<Int, any Error>(error: Fault()).firstPromise()) is Fault)
    expectCancelled(Empty<Int, any Error>().firstPromise())
  }

  @Test("19.5 a promise publishes its value to each subscriber, now or later, and finishes")
  func publisher() {
    let (promise, resolver) = Promise<Int, any Error>.makeWithResolver()
    var log: [String] = []
    var subscriptions = Set<AnyCancellable>()
    func subscribe() {
      promise.publisher.sink(receiveCompletion: { log.append("\($0)") }, receiveValue: { log.append("\($0)") })
        .store(in: &subscriptions)
    }
    subscribe()
    #expect(log.isEmpty)
    resolver.fulfill(with: 3)
    subscribe()
    #expect(log == ["3", "finished", "3", "finished"])
  }

  @Test("19.5 an error fails the publisher, and a cancellation finishes it without a value")
  func publishedOutcomes() {
    var log: [String] = []
    for promise in [Promise<Int, any Error>(rejected: Fault()), Promise(with: .cancelled)] {
      _ = promise.publisher.sink(receiveCompletion: { log.append("\($0)") }, receiveValue: { log.append("\($0)") })
    }
    #expect(log == ["failure(fault)", "finished"])
  }

  @Test("19.5 cancelling a subscription withdraws its vote and delivers nothing")
  func cancelSubscription() {
    var log: [String] = []
    // Only the subscriptions retain handles.
    let (subscriptions, resolver) = {
      let work = Work<Int, any Error>()
      work.resolver.onRequestCancel(on: .immediate) { $0.cancel() }
      let subscriptions = (0..<2).map { _ in
        work.promise.publisher.sink(receiveCompletion: { log.append("\($0)") }, receiveValue: { log.append("\($0)") })
      }
      return (subscriptions, work.resolver)
    }()
    subscriptions[0].cancel()
    #expect(!resolver.hasRequestedCancel)
    subscriptions[1].cancel()
    #expect(resolver.hasRequestedCancel && log.isEmpty)
  }

  @Test("19.5 a publisher delivers nothing before its subscriber demands it")
  func demand() {
    var log: [String] = []
    let promise = Promise<Int, any Error>(fulfilled: 1)
    var held: (any Subscription)?
    promise.publisher.subscribe(
      AnySubscriber(
        receiveSubscription: { held = $0 },
        receiveValue: {
          log.append("\($0)")
          return .none
        }, receiveCompletion: { log.append("\($0)") }))
    #expect(log.isEmpty)
    held?.request(.none)
    #expect(log.isEmpty)
    held?.request(.max(1))
    held?.request(.max(1))
    #expect(log == ["1", "finished"])
  }

  @Test("19.5 the guide's publisher delivers its value and finishes")
  func publishers() {
    var shown: [String] = []
    func show(_ any: Any) { shown.append("\(any)") }
    let publisher = Just(7)
    let first = publisher.firstPromise()
    let subscription = first.publisher.sink(receiveCompletion: { show($0) }, receiveValue: { show($0) })
    #expect(shown == ["7", "finished"])
    subscription.cancel()
  }
}
