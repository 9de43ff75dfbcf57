import PromiseKit
import Testing

#if canImport(Combine)
  import Combine
#else
  import OpenCombine
#endif

@Suite struct PromiseKitFutureTests {
  /// Records the outputs and the completion that a publisher delivers synchronously.
  private final class Deliveries<Output, Failure: Error> {
    var outputs: [Output] = []
    var completion: Subscribers.Completion<Failure>?
    private var subscription: AnyCancellable?

    init(of publisher: some Publisher<Output, Failure>) {
      subscription = publisher.sink(
        receiveCompletion: { [unowned self] in completion = $0 }, receiveValue: { [unowned self] in outputs.append($0) }
      )
    }

    var error: Failure? { if case .failure(let error) = completion { error } else { nil } }
  }

  @Test("the future of a promise or a guarantee delivers its value or its error")
  func futures() {
    let (promise, seal) = Promise<Int>.pending()
    let pending = Deliveries(of: promise.future())
    #expect(pending.outputs.isEmpty && pending.completion == nil)
    seal.fulfill(1)
    #expect(pending.outputs == [1] && pending.completion != nil && pending.error == nil)
    #expect(Deliveries(of: Promise.value(2).future()).outputs == [2])
    #expect(Deliveries(of: Promise<Int>(error: Fault()).future()).error is Fault)
    #expect(Deliveries(of: Promise<Int>(error: PMKError.cancelled).future()).error?.isCancelled == true)
    let (guarantee, resolve) = Guarantee<Int>.pending()
    let delivered = Deliveries(of: guarantee.future())
    resolve(4)
    #expect(delivered.outputs == [4] && delivered.completion != nil)
  }

  @Test("a future delivers the value of a promise whose last handle is released")
  func keeping() {
    var promise: Promise<Int>?
    let seal: Resolver<Int>
    (promise, seal) = Promise<Int>.pending()
    let future = promise?.future()
    promise = nil
    let delivered = future.map { Deliveries(of: $0) }
    seal.fulfill(3)
    #expect(delivered?.outputs == [3])
  }

  @Test("a promise of a future has its output or its failure, now or later")
  func promises() {
    #expect(Future<Int, any Error> { $0(.success(5)) }.promise().value == 5)
    #expect(Future<Int, any Error> { $0(.failure(Fault())) }.promise().error is Fault)
    #expect(Future<Int, Never> { $0(.success(6)) }.guarantee().value == 6)
    var fulfil: Future<Int, any Error>.Promise?
    let promise = Future<Int, any Error> { fulfil = $0 }.promise()
    #expect(promise.isPending)
    fulfil?(.success(7))
    #expect(promise.value == 7)
  }
}
