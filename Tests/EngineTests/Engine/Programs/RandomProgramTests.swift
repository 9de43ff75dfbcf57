import Foundation
import Overmorrow
import Testing

/// Runs thousands of small random programs, which use only public operations, in the engine and in a model of the
/// contract, and compares the two.
///
/// `OVERMORROW_ROUNDS` sets the number of programs for each of the twenty cases. `OVERMORROW_SEED` names one program to
/// run again.
@Suite(.heavy) struct RandomProgramTests {
  @Test("1-5 a random program behaves like a naive model, in order, and leaks nothing", arguments: 0..<10)
  func agreement(_ block: UInt64) { compare(seeds(of: block), allowingCycles: false) }

  @Test(
    "1.7 a random program with cycles behaves exactly like a naive model, and leaks nothing",
    arguments: 10..<20)
  func agreementOnCycles(_ block: UInt64) { compare(seeds(of: block), allowingCycles: true) }

  /// The number of seeds reserved for each case.
  private static let block: UInt64 = 1_000_000

  private func seeds(of block: UInt64) -> Range<UInt64> { block * Self.block..<block * Self.block + rounds }

  /// The number of programs for each case.
  private let rounds = ProcessInfo.processInfo.environment["OVERMORROW_ROUNDS"].flatMap { UInt64($0) } ?? 100

  /// Runs one program again.
  @Test("1-5 the random program of the seed in OVERMORROW_SEED behaves like a naive model")
  func replay() {
    guard let seed = ProcessInfo.processInfo.environment["OVERMORROW_SEED"].flatMap({ UInt64($0) }) else { return }
    compare([seed], allowingCycles: seed >= 10 * Self.block)
  }

  @Test("3.1 after a handler has fulfilled the promise, the next handler is not submitted")
  func handlerAfterFulfilling() {
    let program = Program(steps: [
      .makePromise, .onRequestCancel(0, on: .immediate, script: [.resolve(0, .value)]),
      .onRequestCancel(0, on: .executor, script: []), .requestCancel(0),
    ])
    #expect(Self.difference(program, 0, false) == nil)
  }

  private func compare(_ seeds: some Sequence<UInt64>, allowingCycles: Bool) {
    for seed in seeds {
      let program = Program(seed: seed)
      guard Self.difference(program, seed, allowingCycles) != nil else { continue }
      let small = Self.shrunk(program, seed, allowingCycles)
      Issue.record("seed \(seed): \(Self.difference(small, seed, allowingCycles) ?? "")\nof \(small)")
      return
    }
  }

  /// Returns the first difference between the engine and the model, with the events before it.
  private static func difference(_ program: Program, _ seed: UInt64, _ allowsCycles: Bool) -> String? {
    let model = ProgramMachine<ModelWorld>(allowsCycles: allowsCycles)
    model.run(program, endingBy: seed)
    if model.isUndetermined { return nil }
    let engine = ProgramMachine<EngineWorld>(allowsCycles: allowsCycles)
    // In every build, the scope watches the promises, so that the engine finds the cycles.
    _ = PromiseDiagnostics.checking { engine.run(program, endingBy: seed) }
    if let twice = engine.runs.first(where: { $0.value > 1 }) {
      return "callback \(twice.key) ran \(twice.value) times"
    }
    if engine.trace == model.trace { return nil }
    let index = zip(engine.trace, model.trace).enumerated().first { $0.element.0 != $0.element.1 }?.offset
    let at = index ?? min(engine.trace.count, model.trace.count)
    func view(_ trace: ArraySlice<ProgramObservation>) -> String { trace.map { "  \($0)" }.joined(separator: "\n") }
    return """
      \(view(model.trace[max(0, at - 8)..<at]))
      engine:
      \(view(engine.trace.dropFirst(at).prefix(3)))
      model:
      \(view(model.trace.dropFirst(at).prefix(3)))
      """
  }

  /// Returns a smaller program with a difference.
  private static func shrunk(_ program: Program, _ seed: UInt64, _ allowsCycles: Bool) -> Program {
    var program = program
    while let smaller = program.smaller.first(where: { difference($0, seed, allowsCycles) != nil }) {
      program = smaller
    }
    return program
  }
}
