/// An observation of a running program.
enum ProgramObservation: Hashable, Sendable {
  /// A callback starts, with a result, or with `nil` for a request to cancel.
  case callback(Int, ProgramResult?)
  case endOfCallback(Int)
  /// The state after a step: the promises held, their results, the resolvers that have received a request, and the
  /// amount of waiting work.
  case view([Int], [ProgramResult?], asked: [Int], work: Int)
  case leaks(Int)
}

extension ProgramObservation: CustomStringConvertible {
  var description: String {
    switch self {
    case .callback(let number, let result): "callback \(number) with \(result.map { "\($0)" } ?? "a request")"
    case .endOfCallback(let number): "end of callback \(number)"
    case .leaks(let count): "\(count) alive"
    case .view(let promises, let results, let asked, let work):
      zip(promises, results).map { "\($0) \($1.map { "\($0)" } ?? "-")" }.joined(separator: ", ")
        + "; asked \(asked), work \(work)"
    }
  }
}

/// Runs a program in a world, and records everything that can be observed from outside.
final class ProgramMachine<World: ProgramWorld>: ProgramEvents, @unchecked Sendable {
  // Sendable: used by one thread only.
  // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
  // The initialiser of its world takes this machine; released at the end.
  private var hand: ProgramHand<World>!
  /// The callbacks as they ran, and the state after each step.
  private(set) var trace: [ProgramObservation] = []
  /// Whether the contract leaves open when some of these events happen.
  private(set) var isUndetermined = false
  /// The number of runs of each callback.
  private(set) var runs: [Int: Int] = [:]

  /// - Parameter allowsCycles: Whether a promise may adopt a younger one. If not, the waiting promise is always the
  ///   younger one, so no cycle can arise.
  init(allowsCycles: Bool) {
    hand = ProgramHand(World(events: self), allowsCycles: allowsCycles)
  }

  /// Runs the program, and then drops everything in an order that the seed determines.
  func run(_ program: Program, endingBy seed: UInt64) {
    for step in program.steps {
      hand.perform(step)
      observe()
    }
    trace.append(.leaks(hand.dropAll(by: seed, afterEach: observe)))
    hand = nil
  }

  func callbackRuns(_ callback: Int, with result: ProgramResult?) {
    trace.append(.callback(callback, result))
    runs[callback, default: 0] += 1
    for step in hand.scripts[callback] ?? [] { hand.perform(step) }
    trace.append(.endOfCallback(callback))
  }

  func mayBeInterrupted() {}
  func leavesRestToQueue() { isUndetermined = true }

  private func observe() { trace.append(hand.view) }
}
