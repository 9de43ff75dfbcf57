import Testing

@testable import Overmorrow

/// Reports to a closure; a step of the library's own, so that notes change nothing here.
private enum TestStep: Step {
  static var traits: Traits { [.takesPart, .onAnything, .library] }

  static func run(
    _ callback: @Sendable (Int?) -> Void, _ input: PromiseResult<Int, Never>
  ) -> StepResult<Never, Never> {
    callback(input.value)
    return .result(.cancelled)
  }

  static func pass(_ input: PromiseResult<Int, Never>) -> PromiseResult<Never, Never> { .cancelled }
}

/// The same, with a payload of four words.
private enum LargeStep: Step {
  typealias Callback = (report: @Sendable (Int?) -> Void, first: Int, second: Int)

  static var traits: Traits { TestStep.traits }

  static func run(_ callback: Callback, _ input: PromiseResult<Int, Never>) -> StepResult<Never, Never> {
    callback.report(input.value)
    return .result(.cancelled)
  }

  static func pass(_ input: PromiseResult<Int, Never>) -> PromiseResult<Never, Never> { .cancelled }
}

@Suite(.inTurn) struct StepRowTests {
  private typealias Pair = (promise: Promise<Int, Never>, resolver: Promise<Int, Never>.Resolver)

  private let log = Recorder<Int?>()
  private let tracker = Tracker()

  private func pairs(_ number: Int) -> [Pair] { (0..<number).map { _ in Promise<Int, Never>.makeWithResolver() } }

  private var report: @Sendable (Int?) -> Void {
    { [log, tracked = tracker.make()] value in withExtendedLifetime(tracked) { log.record(value) } }
  }

  private func addresses(of steps: NewSteps) -> [UInt] {
    var addresses: [UInt] = []
    steps.cores.visit { addresses.append($0.address) }
    return addresses
  }

  /// For each step but the first, how far behind the one before it lies.
  private func distances(of steps: NewSteps) -> [UInt] {
    let addresses = addresses(of: steps)
    return zip(addresses.dropFirst(), addresses).map { $0 &- $1 }
  }

  @Test("steps lie side by side, sixteen in a row at most, and are told in their order", arguments: [1, 2, 16, 17, 40])
  func rows(_ number: Int) {
    let pairs = pairs(number)
    var steps = NewSteps(reserving: number)
    for pair in pairs { steps.register(TestStep.self, on: pair.promise.handle.core, report) }
    let slot = UInt(8 * (1 + CoreRef.headerWords + StepOperations<TestStep>.words))
    for (index, distance) in distances(of: steps).enumerated() {
      // Another row is another block, with a word of its own and what the allocator adds.
      let isInSameRow = (index + 1) % 16 != 0
      #expect((distance == slot) == isInSameRow, "of step \(index + 1)")
    }
    let waiting = WaitingSteps()
    waiting.add(steps)
    for (number, pair) in pairs.enumerated() { pair.resolver.fulfill(with: number) }
    #expect(log.entries == Array(0..<number))
    #expect(tracker.count == 0)
  }

  /// The resolvers of six promises, each with one step; nobody has the promises any more. The third step is a large
  /// one, and the fifth has a handle.
  private func registerMixed(in steps: inout NewSteps) -> [Promise<Int, Never>.Resolver] {
    let pairs = pairs(6)
    for (number, pair) in pairs.enumerated() {
      if number == 2 {
        steps.register(LargeStep.self, on: pair.promise.handle.core, (report, 1, 2))
      } else if number == 4 {
        steps.append(pair.promise.register(TestStep.self, on: .immediate, gate: nil, report).handle)
      } else {
        steps.register(TestStep.self, on: pair.promise.handle.core, report)
      }
    }
    return pairs.map(\.resolver)
  }

  @Test("a step that does not fit into the row begins another one; all are asked in their order")
  func mixed() {
    var steps = NewSteps(reserving: 6)
    let resolvers = registerMixed(in: &steps)
    let slot = UInt(8 * (1 + CoreRef.headerWords + StepOperations<TestStep>.words))
    let largeSlot = UInt(8 * (1 + CoreRef.headerWords + StepOperations<LargeStep>.words))
    let distances = distances(of: steps)
    #expect([distances[0], distances[2]] == [slot, largeSlot])
    let waiting = WaitingSteps()
    waiting.add(steps)
    let asked = Recorder<Int>()
    for (number, resolver) in resolvers.enumerated() {
      resolver.onRequestCancel(on: .immediate) { _ in asked.record(number) }
    }
    waiting.requestCancel()
    #expect(asked.entries == [0, 1, 2, 3, 4, 5])
    for (number, resolver) in resolvers.enumerated() { resolver.fulfill(with: number) }
    #expect(log.entries == [0, 1, 2, 3, 4, 5])
    #expect(tracker.count == 0)
  }

  @Test("steps that have been abandoned let go of their callbacks, and the row may go before its sources")
  func abandoned() {
    let pairs = pairs(20)
    do {
      var steps = NewSteps(reserving: 20)
      for pair in pairs { steps.register(TestStep.self, on: pair.promise.handle.core, report) }
      let waiting = WaitingSteps()
      waiting.add(steps)
      pairs[3].resolver.fulfill(with: 3)
      waiting.end()
    }
    #expect(log.entries == [3])
    #expect(tracker.count == 0)
    for (number, pair) in pairs.enumerated() { pair.resolver.fulfill(with: number) }
    #expect(log.entries == [3])
  }

  @Test("more steps than were announced are taken, too")
  func more() {
    let pairs = pairs(3)
    var steps = NewSteps(reserving: 0)
    for pair in pairs { steps.register(TestStep.self, on: pair.promise.handle.core, report) }
    let waiting = WaitingSteps()
    waiting.add(steps)
    for (number, pair) in pairs.enumerated() { pair.resolver.fulfill(with: number) }
    #expect(log.entries == [0, 1, 2])
    #expect(tracker.count == 0)
  }
}
