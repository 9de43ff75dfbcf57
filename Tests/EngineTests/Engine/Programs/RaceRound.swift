/// What threads do at the same time, after what one of them has built.
struct RaceRound: Sendable, CustomStringConvertible {
  let seed: UInt64
  let building: Program
  /// What each thread does.
  let threads: [Program]

  /// The round of a seed. Callbacks do nothing themselves.
  init(seed: UInt64, threads count: Int) {
    self.seed = seed
    var generator = SeededGenerator(seed: seed)
    func step(isRacing: Bool) -> ProgramStep {
      while true {
        let step = Program.step(nesting: 2, using: &generator)
        if !isRacing || !step.isMaking { return step }
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
}
