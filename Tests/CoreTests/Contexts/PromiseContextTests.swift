import Dispatch
import Testing

@testable import Overmorrow
@testable import OvermorrowEngine

@Suite(.inTurn) struct PromiseContextTests {
  // MARK: Equality

  private actor Place {}

  @Test("2.11 contexts are equal if they have the same case and the same object")
  func equality() {
    let queues = [DispatchQueue(label: "same"), DispatchQueue(label: "same")]
    let executors = [ManualContext(), ManualContext()]
    let actors: [any Actor] = [MainActor.shared, Place(), Place()]
    let contexts: [PromiseContext] =
      [.main, .background, .utility, .default, .userInitiated, .userInteractive, .immediate, .queue(.main)]
      + queues.map { .queue($0) } + executors.map(\.context) + actors.map { .actor($0) }
    let all = contexts + contexts.map { .nowOr($0) } + contexts.map { .nowOr(.nowOr($0)) }
    let again = all.map { $0 }
    for (i, left) in all.enumerated() {
      for (j, right) in again.enumerated() { #expect((left == right) == (i == j), "\(left), \(right)") }
      #expect(left.hashValue == again[i].hashValue)
    }
    #expect(Set(all + again).count == all.count)
  }

  @Test("2.11 each quality of service has its context, and .unspecified the default context")
  func qualityOfService() {
    for (context, qos) in Self.global { #expect(PromiseContext(qos: qos) == context) }
    #expect(PromiseContext(qos: .unspecified) == .default)
  }

  @Test("2.11 11.3 a main or global queue is recognised by identity, not by label")
  func labels() {
    #expect(PromiseAdapter.context(for: .main) == .main)
    for (context, qos) in Self.global {
      let label = DispatchQueue.global(qos: qos).label
      // On Linux, two quality-of-service classes share a queue.
      let names = Self.global.filter { DispatchQueue.global(qos: $0.1).label == label }.map(\.0)
      #expect(PromiseAdapter.context(for: .global(qos: qos)) == names.first, "\(context)")
      for queue in [DispatchQueue(label: label), DispatchQueue(label: label, target: .global(qos: qos))] {
        #expect(PromiseAdapter.context(for: queue) == .queue(queue))
      }
    }
    let queue = DispatchQueue(label: DispatchQueue.main.label)
    #expect(PromiseAdapter.context(for: queue) == .queue(queue))
  }

  // MARK: Queues

  private static let global: [(PromiseContext, DispatchQoS.QoSClass)] = [
    (.background, .background), (.utility, .utility), (.default, .default), (.userInitiated, .userInitiated),
    (.userInteractive, .userInteractive),
  ]

  private static let own = DispatchQueue(label: "own")

  @Test(
    "1.10 2.11 2.22 bodies, callbacks and cancel handlers run on the queue of their context",
    arguments: global.map { ($0, DispatchQueue.global(qos: $1)) }
      + [(.main, .main), (.queue(.main), .main), (.actor(MainActor.shared), .main), (.queue(own), own)])
  func places(context: PromiseContext, queue: DispatchQueue) async {
    let promise = Promise<String, Never>(on: context) { $0.fulfill(with: currentQueueLabel) }
    #expect(await promise.outcome()?.value == queue.label)
    let step = promise.map(on: context) { _ in
      if queue === DispatchQueue.main { MainActor.preconditionIsolated() }
      return currentQueueLabel
    }
    #expect(await step.outcome()?.value == queue.label)
    let (asked, resolver) = Promise<String, Never>.makeWithResolver()
    resolver.onRequestCancel(on: context) { $0.fulfill(with: currentQueueLabel) }
    asked.requestCancel()
    #expect(await asked.outcome()?.value == queue.label)
  }

  @Test("2.11 11.3 a chain over many contexts runs each step on its own context")
  func mixed() async {
    let (one, two) = (MarkedQueue(label: "same"), MarkedQueue(label: "same"))
    let executor = ElsewhereExecutor()
    let steps: [(context: PromiseContext, isThere: @Sendable () -> Bool)] = [
      (.main, { currentQueueLabel == DispatchQueue.main.label }), (one.context, { one.isCurrent }),
      (two.context, { two.isCurrent }), (two.context, { two.isCurrent }), (one.context, { one.isCurrent }),
      (.executor(executor), { executor.isCurrent }),
      (.utility, { currentQueueLabel == DispatchQueue.global(qos: .utility).label }),
      (.main, { currentQueueLabel == DispatchQueue.main.label }),
    ]
    let log = Recorder<Bool>()
    let (promise, resolver) = Subject.makeWithResolver()
    let last = steps.reduce(promise) { last, step in last.then(on: step.context) { _ in log.record(step.isThere()) } }
    resolver.fulfill(with: 7)
    #expect(await last.outcome() == .value(7))
    #expect(log.entries == Array(repeating: true, count: steps.count))
  }

  // MARK: Default contexts

  @Test("2.11 2.15 `.auto` is `.main` on the main queue and `.default` elsewhere")
  func auto() async throws {
    #expect(await MainActor.run { PromiseContext.auto } == .main)
    let queue = DispatchQueue(label: "other")
    #expect(
      await Promise<PromiseContext, Never>(on: .queue(queue)) { $0.fulfill(with: .auto) }.outcome()?.value == .default)
    #expect(try await onOwnThread("a look at the context") { PromiseContext.auto } == .default)
    #expect(await MainActor.run { queue.sync { PromiseContext.auto } } == .default)
  }

  /// Registers every observer without a context on a promise with this ending.
  private static func observeAll(_ ending: Ending, _ log: Recorder<String>) -> [Promise<Int, Refusal>] {
    let promise = Promise<Int, Refusal>(with: ending.result(7, .first))
    let (tapped, resolver) = Promise<Int, Refusal>.makeWithResolver()
    promise.tap { _ in
      log.record(currentQueueLabel)
      resolver.fulfill(with: 0)
    }
    return [
      tapped,
      promise.then { _ in log.record(currentQueueLabel) },
      promise.then { _ throws(Refusal) in log.record(currentQueueLabel) },
      promise.catch { _ in log.record(currentQueueLabel) },
      promise.always { _ in log.record(currentQueueLabel) },
      promise.onCancel { log.record(currentQueueLabel) },
    ]
  }

  @Test(
    "2.3 observers without a context run on the main queue if registered there",
    arguments: [(Ending.value, 4), (.error, 3), (.cancelled, 3)], [false, true])
  func defaults(row: (ending: Ending, count: Int), onMain: Bool) async throws {
    let log = Recorder<String>()
    let observe = { @Sendable in PromiseContextTests.observeAll(row.ending, log) }
    let promises = try await onMain ? MainActor.run(body: observe) : onOwnThread("observers to be registered", observe)
    for promise in promises { _ = await promise.outcome() }
    let queue = onMain ? DispatchQueue.main : .global(qos: .default)
    #expect(log.entries == Array(repeating: queue.label, count: row.count))
  }
}
