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
    var steps: [ProgramStep] = [.makePromise, .makePromise, .makeToken]
    for _ in 0..<Int.random(in: 6...18, using: &generator) {
      steps.append(Program.step(nesting: 2, using: &generator))
    }
    building = Program(steps: steps)
    let length = [0, 8, 4, 3, 2][count]
    threads = (0..<count).map { _ in
      var steps: [ProgramStep] = []
      while steps.count < length {
        let step = Program.step(nesting: 2, using: &generator)
        if !step.isMaking { steps.append(step) }
      }
      return Program(steps: steps)
    }
  }

  init(seed: UInt64, building: Program, threads: [Program]) {
    self.seed = seed
    self.building = building
    self.threads = threads
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
