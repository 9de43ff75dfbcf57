import Overmorrow

/// One step of a random program, which uses only public operations.
///
/// Numbers choose the objects of the step, modulo the number of objects that the program holds at that time. So any
/// subset of the steps of a program is a program.
indirect enum ProgramStep: Sendable {
  case makePromise
  case makeResolved(Ending)
  case observe(Int, ObserverKind, on: ContextKind, token: TokenUse?, target: Int, script: [ProgramStep])
  /// A `when` of these inputs, followed by a `map`. `asks` says whether a decision requests the cancellation of the
  /// other inputs.
  case gather(GatherKind, [Int], asks: Bool, script: [ProgramStep])
  case resolve(Int, Ending)
  case adopt(Int, Int)
  case onRequestCancel(Int, on: ContextKind, script: [ProgramStep])
  case requestCancel(Int)
  case dropPromise(Int)
  case dropResolver(Int)
  case makeToken
  case guardPromise(token: Int, Int)
  /// Invalidates a token, or only cancels the promises registered with it.
  case invalidate(Int, suppressing: Bool)
  case dropToken(Int)
  case runNext
  case dropNext
}

/// The operators that a program uses.
enum ObserverKind: Sendable, CaseIterable {
  case then, `catch`, always, report, follow, onCancel, ignoringCancel, makeChild
  case map, mapError, mapResult, flatMap, flatMapError, flatMapResult
}

/// The combinators that a program uses.
enum GatherKind: Sendable, CaseIterable { case fulfilled, first }

/// The token argument of an operator.
struct TokenUse: Sendable {
  let token: Int
  /// Whether an invalidation also asks the operator's promise to cancel, as with `bound(to:token:)`.
  let isOfChain: Bool
}

/// The contexts of a program's callbacks. There is one executor, which the program drives.
enum ContextKind: Sendable, CaseIterable {
  case immediate, executor, nowOrExecutor
}

/// A result whose value or error is a distinguishing number.
typealias ProgramResult = PromiseResult<Int, Int>

/// A random program.
struct Program: Sendable, CustomStringConvertible {
  var steps: [ProgramStep]

  init(steps: [ProgramStep]) { self.steps = steps }

  /// Makes the program of a seed.
  init(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    // Some initial promises, so that the first steps have objects to act on.
    steps = [.makePromise, .makePromise, .makeToken]
    for _ in 0..<Int.random(in: 10...60, using: &generator) {
      steps.append(Program.step(nesting: 0, using: &generator))
    }
  }

  var description: String {
    "\(steps)".replacing(/(Engine|Test)(Tests|Support)\./, with: "").replacing("ProgramStep.", with: "\n  ")
  }

  /// The programs with one step of this one removed or simplified.
  var smaller: [Program] {
    steps.indices.reversed().flatMap { index in
      steps[index].simpler.map { simpler in Program(steps: Array(steps[..<index] + simpler + steps[(index + 1)...])) }
    }
  }

  static func step(nesting: Int, using generator: inout SeededGenerator) -> ProgramStep {
    func number() -> Int { Int.random(in: 0..<1000, using: &generator) }
    func any<T>(_ items: [T]) -> T { items.randomElement(using: &generator)! }
    func script() -> [ProgramStep] {
      if nesting == 2 { return [] }
      return (0..<any([0, 0, 0, 1, 1, 2])).map { _ in step(nesting: nesting + 1, using: &generator) }
    }
    func context() -> ContextKind { any([.immediate, .immediate, .executor, .nowOrExecutor]) }
    func ending() -> Ending { any([.value, .value, .error, .cancelled]) }
    let choice = Int.random(in: 0..<112, using: &generator)
    switch choice {
    case 0..<7: return .makePromise
    case 7..<9: return .makeResolved(ending())
    case 9..<46:
      let observer = any(ObserverKind.allCases)
      let use = Int.random(in: 0..<12, using: &generator)
      let token = use < 3 ? TokenUse(token: number(), isOfChain: use == 2) : nil
      return .observe(number(), observer, on: context(), token: token, target: number(), script: script())
    case 46..<54: return .resolve(number(), ending())
    case 54..<64: return .adopt(number(), number())
    case 64..<71: return .onRequestCancel(number(), on: context(), script: script())
    case 71..<81: return .requestCancel(number())
    case 81..<91: return .dropPromise(number())
    case 91..<93: return .dropResolver(number())
    case 93..<94: return .makeToken
    case 94..<97: return .guardPromise(token: number(), number())
    case 97..<99: return .invalidate(number(), suppressing: choice == 97)
    case 99..<100: return .dropToken(number())
    case 100..<105: return .runNext
    case 105..<107: return .dropNext
    default:
      let inputs = (0..<Int.random(in: 1...3, using: &generator)).map { _ in number() }
      return .gather(any(GatherKind.allCases), inputs, asks: Bool.random(using: &generator), script: script())
    }
  }
}

extension ProgramStep {
  /// The simpler replacements of this step: none, or the same step with a smaller script.
  var simpler: [[ProgramStep]] {
    switch self {
    case .observe(let source, let kind, let context, let token, let target, let script):
      [[]]
        + Program(steps: script).smaller.map {
          [.observe(source, kind, on: context, token: token, target: target, script: $0.steps)]
        }
        + (token == nil ? [] : [[.observe(source, kind, on: context, token: nil, target: target, script: script)]])
    case .gather(let kind, let inputs, let asks, let script):
      [[]] + (inputs.count == 1 ? [] : [[.gather(kind, inputs.dropLast(), asks: asks, script: script)]])
        + Program(steps: script).smaller.map { [.gather(kind, inputs, asks: asks, script: $0.steps)] }
    case .onRequestCancel(let resolver, let context, let script):
      [[]] + Program(steps: script).smaller.map { [.onRequestCancel(resolver, on: context, script: $0.steps)] }
    default: [[]]
    }
  }
}
