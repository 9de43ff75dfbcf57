/// A program that builds promises on one thread, and programs that several threads then run in parallel.
struct RaceRound: Sendable, CustomStringConvertible {
  let seed: UInt64
  let building: Program
  /// The program of each thread.
  let threads: [Program]

  init(seed: UInt64, building: Program, threads: [Program]) {
    (self.seed, self.building, self.threads) = (seed, building, threads)
  }

  /// Makes the round of a seed. The callbacks perform no steps.
  init(seed: UInt64, threads count: Int) {
    var generator = SeededGenerator(seed: seed)
    func step(isRacing: Bool) -> ProgramStep {
      while true {
        let step = Program.step(nesting: 2, using: &generator)
        if !isRacing || !step.isMaking { return step }
      }
    }
    let start: [ProgramStep] = [.makePromise, .makePromise, .makeToken]
    let building = Program(
      steps: start + (0..<Int.random(in: 6...18, using: &generator)).map { _ in step(isRacing: false) })
    let length = [0, 8, 4, 3, 2][count]
    let threads = (0..<count).map { _ in Program(steps: (0..<length).map { _ in step(isRacing: true) }) }
    self.init(seed: seed, building: building, threads: threads)
  }

  var description: String {
    "\(building)" + threads.enumerated().map { "\nthread \($0.offset): \($0.element)" }.joined()
  }
}

extension ProgramStep {
  /// Whether it uses no existing object.
  fileprivate var isMaking: Bool {
    switch self {
    case .makePromise, .makeResolved, .makeToken: true
    default: false
    }
  }
}
