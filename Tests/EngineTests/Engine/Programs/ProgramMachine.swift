/// What can be seen of a program.
enum ProgramObservation: Hashable, Sendable {
  /// A callback has begun, with a result, or because cancelling was requested.
  case callback(Int, ProgramResult?)
  case endOfCallback(Int)
  /// After a step: the promises that are held, their results, whose resolver has been asked, and what waits.
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

/// Runs a program in a world, and writes down all that can be seen from outside.
final class ProgramMachine<World: ProgramWorld>: ProgramEvents, @unchecked Sendable {
  // Sendable: used by one thread only.
  // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
  // Its world is given this machine, and goes at the end.
  private var hand: ProgramHand<World>!
  /// Each callback as it ran, and after each step what could be seen.
  private(set) var trace: [ProgramObservation] = []
  /// Whether the contract leaves open when some of it happens.
  private(set) var isUndetermined = false
  /// How often each callback has run.
  private(set) var runs: [Int: Int] = [:]

  /// - Parameter allowsCycles: Otherwise a promise adopts only older ones, so that whatever waits is the younger one.
  init(allowsCycles: Bool) {
    hand = ProgramHand(World(events: self), allowsCycles: allowsCycles)
  }

  /// Runs the program, then drops everything, in an order that the seed decides.
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
  func goesOnElsewhere() { isUndetermined = true }

  private func observe() { trace.append(hand.view) }
}
