import Foundation
import Overmorrow
import OvermorrowFoundation
import Testing

@Suite(.inTurn) struct PromiseOperationTests {
  @Test("17.3 the work begins when the operation is started, not before")
  func deferredStart() {
    let calls = Tally()
    let operation = PromiseOperation<Int, Never>(on: .immediate) { resolver in
      calls.add()
      resolver.fulfill(with: 7)
    }
    let doubled = operation.promise.map(on: .immediate) { $0 * 2 }
    #expect(calls.value == 0)
    #expect(operation.isReady && !operation.isExecuting && !operation.isFinished && operation.isAsynchronous)
    operation.start()
    #expect(calls.value == 1)
    #expect(expectFulfilled(doubled) == 14)
    #expect(operation.isFinished && !operation.isExecuting)
    operation.start()
    #expect(calls.value == 1)
  }

  @Test("17.3 an operation executes until its promise resolves, and is finished when callbacks run")
  func phases() async {
    let resolvers = Recorder<Promise<Int, Flaw>.Resolver>()
    let operation = PromiseOperation<Int, Flaw>(on: .immediate) { resolvers.record($0) }
    let seen = operation.promise.mapResult(on: .immediate) { [weak operation] _ -> PromiseResult<Bool?, Never> in
      .value(operation?.isFinished)
    }
    operation.start()
    #expect(operation.isExecuting && !operation.isFinished)
    resolvers.entries[0].reject(with: "no")
    #expect(expectFulfilled(seen) == true)
    #expect(expectRejected(operation.promise) == "no")
  }

  @Test("2.8 17.3 with .nowOr, the work begins on the context inside")
  func startsOnTheContextGiven() {
    let executor = ManualContext()
    let work: @Sendable (Promise<Int, any Error>.Resolver) -> Void = { $0.fulfill(with: 1) }
    let throwing: @Sendable (Promise<Int, any Error>.Resolver) throws -> Void = { $0.fulfill(with: 1) }
    func expectStart<Failure>(_ operation: PromiseOperation<Int, Failure>) {
      operation.start()
      expectPending(operation.promise)
      #expect(executor.runAll() == 1)
      #expect(expectFulfilled(operation.promise) == 1)
    }
    for context in [PromiseContext.nowOr(executor.context), .nowOr(.nowOr(executor.context))] {
      expectStart(PromiseOperation(on: context, work))
      expectStart(PromiseOperation(on: context, throwing))
      expectStart(PromiseOperation<Int, Flaw>(on: context) { $0.fulfill(with: 1) })
    }
    let immediate = PromiseOperation<Int, any Error>(on: .nowOr(.immediate), work)
    immediate.start()
    #expect(expectFulfilled(immediate.promise) == 1)
  }

  @Test("17.4 an operation runs after its dependencies have finished")
  func dependencies() async {
    let queue = OperationQueue()
    let log = Recorder<String>()
    let go = Signal()
    let first = PromiseOperation<String, Never>(on: .default) { resolver in
      go.block()
      log.record("first")
      resolver.fulfill(with: "first")
    }
    let second = PromiseOperation<String, Never>(on: .immediate) { resolver in
      log.record("second after \(first.promise.result?.value ?? "nothing")")
      resolver.fulfill(with: "second")
    }
    second.addDependency(first)
    for operation in [second, first] { queue.addOperation(operation) }
    #expect(!second.isReady)
    go.send()
    await expectAnswer(second.promise)
    #expect(log.entries == ["first", "second after first"])
  }

  @Test("17.4 the guide's unpacking waits for its download")
  func unpacking() async {
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
    let queue = OperationQueue()

    let download = PromiseOperation<String, any Error>(on: .immediate) { resolver in resolver.fulfill(with: "a b") }
    let unpacking = PromiseOperation<[Substring], any Error>(on: .immediate) { resolver in
      resolver.resolve(with: download.promise.map(on: .immediate) { $0.split(separator: " ") })
    }
    unpacking.addDependency(download)
    queue.addOperation(unpacking)
    queue.addOperation(download)

    #expect(await expectAnswer(unpacking.promise) == ["a", "b"])
    #expect(await expectAnswer(unpacked("ab", on: queue)) == ["a", "b"])
  }

  @Test("17.4 an operation occupies the queue's limit until its promise is resolved")
  func concurrency() async {
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 1
    let started = Recorder<Promise<Int, Never>.Resolver>()
    let begun = Signal()
    let operations = (0..<2).map { _ in
      PromiseOperation<Int, Never>(on: .immediate) { resolver in
        started.record(resolver)
        if started.entries.count == 2 { resolver.fulfill(with: 2) } else { begun.send() }
      }
    }
    for operation in operations { queue.addOperation(operation) }
    await begun.wait()
    #expect(started.entries.count == 1)
    started.entries[0].fulfill(with: 1)
    await expectAnswer(when(fulfilled: operations.map(\.promise)))
  }

  @Test("17.3 an error that the work throws rejects the promise and finishes the operation")
  func throwing() {
    let operation = PromiseOperation<Int, any Error>(on: .immediate) { _ throws in throw CocoaError(.fileNoSuchFile) }
    operation.start()
    #expect((expectRejected(operation.promise) as? CocoaError)?.code == .fileNoSuchFile)
    #expect(operation.isFinished)
  }

  enum Canceller: CaseIterable {
    case operation, promise, child
  }

  @Test(
    "17.5 an operation cancelled before its start runs no work and cancels its promise",
    arguments: Canceller.allCases)
  func cancelBeforeStart(by canceller: Canceller) async {
    let queue = OperationQueue()
    queue.isSuspended = true
    let calls = Tally()
    let operation = PromiseOperation<Int, Never>(on: .immediate) { _ in calls.add() }
    let child = operation.promise.map(on: .immediate) { $0 }
    queue.addOperation(operation)
    switch canceller {
    case .operation: operation.cancel()
    case .promise: operation.promise.requestCancel()
    case .child: child.requestCancel()
    }
    expectPending(operation.promise)
    queue.isSuspended = false
    await expectCancelled(child, within: waitLimit)
    #expect(operation.isFinished && operation.isCancelled)
    #expect(calls.value == 0)
  }

  @Test("17.5 when an operation is cancelled after its start, the work decides", arguments: [true, false])
  func cancelAfterStart(gives: Bool) {
    let resolvers = Recorder<Promise<Int, Never>.Resolver>()
    let operation = PromiseOperation<Int, Never>(on: .immediate) { resolver in
      resolvers.record(resolver)
      if gives { resolver.onRequestCancel(on: .immediate) { $0.cancel() } }
    }
    operation.start()
    operation.cancel()
    #expect(operation.isCancelled && operation.isFinished == gives)
    resolvers.entries[0].fulfill(with: 1)
    #expect(operation.promise.result?.isCancelled == gives)
    #expect(operation.isFinished)
  }

  @Test("17.5 a request during the body on .immediate reaches the body", arguments: Canceller.allCases)
  func cancelDuringBody(by canceller: Canceller) {
    let log = Recorder<String>()
    let operations = Recorder<PromiseOperation<Int, Flaw>>()
    let operation = PromiseOperation<Int, Flaw>(on: .immediate) { resolver in
      resolver.onRequestCancel(on: .immediate) { resolver in
        log.record("asked")
        resolver.cancel()
      }
      let running = operations.entries[0]
      switch canceller {
      case .operation: running.cancel()
      case .promise: running.promise.requestCancel()
      case .child: running.promise.map(on: .immediate) { $0 }.requestCancel()
      }
      log.record("\(resolver.hasRequestedCancel) \(running.isCancelled)")
      resolver.fulfill(with: 1)
    }
    operations.record(operation)
    operation.start()
    #expect(log.entries == ["asked", "true true"])
    #expect(operation.promise.result?.isCancelled == true && operation.isFinished)
  }

  @Test("17.5 a request that races with the body on .immediate wins or comes too late")
  func cancelAgainstBody() async {
    let operations = Recorder<PromiseOperation<Int, Never>>()
    for _ in 0..<300 {
      let begun = Signal()
      let operation = PromiseOperation<Int, Never>(on: .immediate) { resolver in
        begun.send()
        if waitUntil({ resolver.hasRequestedCancel }) { resolver.cancel() } else { resolver.fulfill(with: 1) }
      }
      operations.record(operation)
      DispatchQueue.global().async { operation.start() }
      begun.block()
      operation.cancel()
      await expectCancelled(operation.promise, within: waitLimit)
    }
  }

  @Test("17.6 an operation that was never started is not reported")
  func unstartedIsNotReported() async throws {
    let reports = try await diagnostics {
      let promise = { PromiseOperation<Int, Never>(on: .immediate) { _ in }.promise }().tap(on: .immediate) { _ in }
      expectCancelled(promise)
    }
    #expect(reports == [])
  }

  @Test("1.4 17.6 an operation released without a start, or with an unused resolver, is cancelled")
  func dropped() {
    var operation: PromiseOperation<Int, Never>? = PromiseOperation(on: .immediate) { _ in }
    let unstarted = operation?.promise
    operation = nil
    #expect(unstarted?.result?.isCancelled == true)
    let idle = PromiseOperation<Int, Never>(on: .immediate) { _ in }
    idle.start()
    expectCancelled(idle.promise)
    #expect(idle.isFinished)
  }

  @Test("17.7 nothing retains a finished operation or its work")
  func released() {
    weak var operation: PromiseOperation<Int, Never>?
    weak var object: Recorder<Int>?
    do {
      let kept = Recorder<Int>()
      object = kept
      let made = PromiseOperation<Int, Never>(on: .immediate) { resolver in
        kept.record(1)
        resolver.fulfill(with: 1)
      }
      operation = made
      made.start()
      #expect(made.isFinished)
    }
    #expect(operation == nil && object == nil)
  }
}
