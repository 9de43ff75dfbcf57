import Overmorrow
import OvermorrowTesting
import Testing

@Suite(.inTurn) struct WhenFulfilledBoundedTests {
  /// A number of inputs, with a record of those that were started.
  struct Work: Sendable {
    let inputs: [Input]
    let started = Recorder<Int>()

    init(_ count: Int) { inputs = (0..<count).map { _ in Input() } }

    func start(_ number: Int) -> Promise<Int, Flaw> {
      started.record(number)
      return inputs[number].take()
    }

    func run(
      _ maxConcurrent: Int, cancelOnFailure: Bool = false, joining: Bool = false,
      on context: PromiseContext = .immediate, token: PromiseInvalidationToken? = nil
    ) -> Promise<[Int], Flaw> {
      when(
        fulfilled: 0..<inputs.count, maxConcurrent: maxConcurrent, cancelOnFailure: cancelOnFailure, joining: joining,
        on: context, token: token
      ) { number in start(number) }
    }
  }

  // MARK: Success

  @Test("5.5 5.6 at most the limit are pending, and the values keep their order")
  func order() {
    let work = Work(5)
    let all = work.run(2)
    #expect(work.started.entries == [0, 1])
    work.inputs[1].resolver.fulfill(with: 10)
    #expect(work.started.entries == [0, 1, 2])
    work.inputs[2].resolver.fulfill(with: 20)
    work.inputs[3].resolver.fulfill(with: 30)
    #expect(work.started.entries == [0, 1, 2, 3, 4])
    work.inputs[4].resolver.fulfill(with: 40)
    #expect(all.result == nil)
    work.inputs[0].resolver.fulfill(with: 0)
    #expect(all.result == .value([0, 10, 20, 30, 40]))
  }

  @Test("5.5 without inputs, the promise is fulfilled at once if the context allows that")
  func empty() {
    #expect(Work(0).run(3, on: .nowOr(.main)).result == .value([]))
    let executor = ManualContext()
    let later = Work(0).run(3, on: executor.context)
    #expect(later.result == nil)
    executor.runAll()
    #expect(later.result == .value([]))
  }

  @Test("5.5 5.8 a limit below 1 counts as 1, and the diagnostics report it", arguments: [0, -1, Int.min])
  func limitBelowOne(limit: Int) {
    let work = Work(2)
    let heard = DiagnosticsProbe.listen {
      let all = work.run(limit)
      #expect(work.started.entries == [0])
      work.inputs[0].resolver.fulfill(with: 0)
      #expect(work.started.entries == [0, 1])
      work.inputs[1].resolver.fulfill(with: 1)
      #expect(all.result == .value([0, 1]))
    }
    #expect(heard == [.invalidArgument("when(fulfilled:maxConcurrent:): \(limit) counts as 1")])
  }

  @Test("5.5 5.7 the sequence is read only up to the limit of pending inputs")
  func lazily() {
    let walked = Recorder<Int>()
    let inputs = (0..<4).map { _ in Input() }
    let all = when(
      fulfilled: (0..<4).lazy.map { number in
        walked.record(number)
        return number
      }, maxConcurrent: 2, on: .immediate
    ) { number in inputs[number].take() }
    #expect(walked.entries == [0, 1])
    inputs[0].resolver.fulfill(with: 0)
    #expect(walked.entries == [0, 1, 2])
    for index in 1..<4 { inputs[index].resolver.fulfill(with: index) }
    #expect(all.result == .value([0, 1, 2, 3]))
  }

  @Test("5.5 an infinite sequence is read until an input fails")
  func endless() {
    let all = when(fulfilled: 0..., maxConcurrent: 3, on: .immediate) { number in
      number < 1000 ? Promise<Int, Flaw>(fulfilled: number) : Promise(rejected: "enough")
    }
    #expect(all.result == .error("enough"))
  }

  @Test("5.5 an iterator may request the cancellation of the promise that it feeds")
  func reentrant() {
    let holder = Holder<Promise<[Int], Flaw>>()
    let (gate, opener) = Promise<Int, Flaw>.makeWithResolver()
    let all = when(
      fulfilled: (0..<5).lazy.map { number in
        if number == 3 { holder.value?.requestCancel() }
        return number
      }, maxConcurrent: 1, on: .immediate
    ) { number in number == 0 ? gate : Promise(fulfilled: number) }
    holder.value = all
    opener.fulfill(with: 0)
    // The iterator has returned the number 3, but its input was not started.
    #expect(all.result == .cancelled)
  }

  // MARK: Failure

  @Test(
    "5.4 5.5 5.7 after a failure, nothing starts, and pending inputs are asked or awaited as chosen",
    arguments: [.error("no"), .cancelled] as [PromiseResult<Int, Flaw>],
    [(false, false), (true, false), (false, true), (true, true)])
  func failure(_ result: PromiseResult<Int, Flaw>, _ options: (cancelling: Bool, joining: Bool)) {
    let work = Work(5)
    let held = work.inputs.map(\.promise)
    let all = work.run(3, cancelOnFailure: options.cancelling, joining: options.joining)
    work.inputs[0].resolver.fulfill(with: 0)
    work.inputs[2].resolver.resolve(with: result)
    #expect(requests(work.inputs) == (options.cancelling ? [0, 1, 0, 1, 0] : [0, 0, 0, 0, 0]))
    let failed: PromiseResult<[Int], Flaw> = result.map { _ in [] }
    #expect(all.result == (options.joining ? nil : failed))
    work.inputs[1].resolver.fulfill(with: 1)
    #expect(all.result == (options.joining ? nil : failed))
    work.inputs[3].resolver.reject(with: "late")
    #expect(all.result == failed)
    #expect(work.started.entries == [0, 1, 2, 3])
    withExtendedLifetime(held) {}
  }

  @Test("5.5 cancelOnFailure also asks the input whose start made another one fail")
  func failureWhileStarting() {
    let inputs = (0..<3).map { _ in Input() }
    let all = when(fulfilled: 0..<3, maxConcurrent: 3, cancelOnFailure: true, on: .immediate) { number in
      if number == 1 { inputs[0].resolver.reject(with: "no") }
      return inputs[number].promise
    }
    #expect(all.result == .error("no"))
    #expect(requests(inputs) == [0, 1, 0])
  }

  @Test("5.4 joining delivers the failure at once if no other input is pending")
  func joiningAlone() {
    let work = Work(3)
    let all = work.run(1, joining: true)
    work.inputs[0].resolver.reject(with: "no")
    #expect(all.result == .error("no"))
  }

  // MARK: Cancellation

  @Test("3.6 a request withdraws one vote on each pending input and starts no more")
  func votes() {
    let work = Work(4)
    let child = work.inputs[1].promise.makeChild()
    let all = work.run(2)
    all.requestCancel()
    #expect(requests(work.inputs) == [1, 0, 0, 0])
    child.requestCancel()
    #expect(requests(work.inputs) == [1, 1, 0, 0])
    work.inputs[0].resolver.fulfill(with: 0)
    #expect(all.result == nil)
    work.inputs[1].resolver.fulfill(with: 1)
    #expect(all.result == .cancelled)
    #expect(work.started.entries == [0, 1])
  }

  @Test("3.6 if all remaining inputs are fulfilled despite a request, the promise is fulfilled")
  func disobedient() {
    for limit in [2, 3] {
      let work = Work(2)
      let all = work.run(limit)
      all.requestCancel()
      #expect(requests(work.inputs) == [1, 1])
      for (index, input) in work.inputs.enumerated() { input.resolver.fulfill(with: index) }
      #expect(all.result == .value([0, 1]))
    }
  }

  @Test("3.6 a request made while an input is being started reaches that input")
  func requestWhileStarting() {
    let holder = Holder<Promise<[Int], Flaw>>()
    let work = Work(3)
    let executor = ManualContext()
    let all = when(fulfilled: 0..<3, maxConcurrent: 2, on: executor.context) { number in
      if number == 1 { holder.value?.requestCancel() }
      return work.start(number)
    }
    holder.value = all
    executor.runAll()
    #expect(work.started.entries == [0, 1])
    #expect(requests(work.inputs) == [1, 1, 0])
    for input in work.inputs { input.resolver.cancel() }
    #expect(all.result == .cancelled)
  }
}
