/// What threads do at the same time, after what one of them has built.
struct RaceRound: Sendable, CustomStringConvertible {
  let seed: UInt64
  let building: Program
  /// What each thread does.
  let threads: [Program]

  /// The round of a seed. Callbacks do nothing themselves.
  ///
  /// - Parameter isWild: Whether everything may meet everything. Otherwise a round either suspends or asks to cancel, and no
  ///   handler is registered in the race: where these meet, the engine is known to do what no order explains.
  init(seed: UInt64, threads count: Int, isWild: Bool) {
    self.seed = seed
    var generator = SeededGenerator(seed: seed)
    let suspends = seed % 2 == 0
    func step(isRacing: Bool) -> ProgramStep {
      while true {
        let step = Program.step(nesting: 2, using: &generator)
        if isRacing && step.isMaking || !isWild && !step.isTame(suspends, isRacing: isRacing) { continue }
        return step
      }
    }
    let start: [ProgramStep] = [.makePromise, .makePromise, .makeToken]
    building = Program(
      steps: start + (0..<Int.random(in: 6...18, using: &generator)).map { _ in step(isRacing: false) })
    let length = [0, 8, 4, 3, 2][count]
    threads = (0..<count).map { _ in Program(steps: (0..<length).map { _ in step(isRacing: true) }) }
  }

  var description: String {
    "\(building)" + threads.enumerated().map { "\nthread \($0.offset): \($0.element)" }.joined()
  }
}

extension ProgramStep {
  /// Whether it concerns nothing that is there.
  fileprivate var isMaking: Bool {
    switch self {
    case .makePromise, .makeResolved, .makeToken: true
    default: false
    }
  }

  /// Whether it may be part of a round that suspends, or else of one that asks to cancel.
  fileprivate func isTame(_ suspends: Bool, isRacing: Bool) -> Bool {
    switch self {
    case .suspend, .resume, .attach: suspends
    case .requestCancel, .guardPromise, .invalidate, .cancelWithoutInvalidating, .dropToken: !suspends
    case .gather(_, _, let asks, _): !asks || !suspends
    case .onRequestCancel: !isRacing && !suspends
    default: true
    }
  }
}
