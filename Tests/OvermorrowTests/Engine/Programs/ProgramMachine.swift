/// What can be seen of a program.
enum ProgramObservation: Equatable, Sendable {
  /// A callback has begun, with a result, or because cancelling was requested.
  case callback(Int, ProgramResult?)
  case endOfCallback(Int)
  case control(Int, ControlCall)
  /// After a step: the promises that are held, their results, which are suspended, whose resolver has been asked, and what
  /// waits.
  case view([Int], [ProgramResult?], suspended: [Int], asked: [Int], work: Int)
  case leaks(Int)
}

extension ProgramObservation: CustomStringConvertible {
  var description: String {
    switch self {
    case .callback(let number, let result): "callback \(number) with \(result.map { "\($0)" } ?? "a request")"
    case .endOfCallback(let number): "end of callback \(number)"
    case .control(let number, let call): "control \(number): \(call)"
    case .leaks(let count): "\(count) alive"
    case .view(let promises, let results, let suspended, let asked, let work):
      zip(promises, results).map { "\($0) \($1.map { "\($0)" } ?? "-")" }.joined(separator: ", ")
        + "; suspended \(suspended), asked \(asked), work \(work)"
    }
  }
}

/// Runs a program in a world, and writes down all that can be seen from outside.
final class ProgramMachine<World: ProgramWorld>: ProgramEvents, @unchecked Sendable {
  // Sendable: used by one thread only.
  // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
  // It is given this machine, and goes at the end.
  private var world: World!
  private var promises: [Int] = []
  private var resolvers: [Int] = []
  private var tokens: [Int] = []
  private var scripts: [[ProgramStep]] = []
  private var count = 0
  /// Each callback as it ran, and after each step what could be seen.
  private(set) var trace: [ProgramObservation] = []
  /// How often each callback has run.
  private(set) var runs: [Int: Int] = [:]

  /// So many promises are enough, and fewer than passes may nest.
  private let most = 20

  private let allowsCycles: Bool

  /// - Parameter allowsCycles: Otherwise a promise adopts only older ones, so that whatever waits is the younger one.
  init(allowsCycles: Bool) {
    self.allowsCycles = allowsCycles
    world = World(events: self)
  }

  /// Runs the program, then drops everything, in an order that the seed decides.
  func run(_ program: Program, endingBy seed: UInt64) {
    for step in program.steps {
      perform(step)
      observe()
    }
    var generator = SeededGenerator(seed: seed)
    repeat { dropAll(&generator) } while world.askUnresolved()
    trace.append(.leaks(world.leaks))
    world = nil
  }

  private func dropAll(_ generator: inout SeededGenerator) {
    while !(promises.isEmpty && resolvers.isEmpty && tokens.isEmpty && world.waitingWork == 0) {
      let number = Int.random(in: 0..<1000, using: &generator)
      switch Int.random(in: 0..<4, using: &generator) {
      case 0: perform(.dropPromise(number))
      case 1: perform(.dropResolver(number))
      case 2: perform(.dropToken(number))
      default: perform(.runNext)
      }
      observe()
    }
  }

  func callbackRuns(_ callback: Int, with result: ProgramResult?) {
    trace.append(.callback(callback, result))
    runs[callback, default: 0] += 1
    for step in scripts[callback] { perform(step) }
    trace.append(.endOfCallback(callback))
  }

  func controlIsTold(_ control: Int, _ call: ControlCall) { trace.append(.control(control, call)) }

  private func observe() {
    let results = promises.map { world.result(of: $0) }
    let asked = resolvers.filter { world.hasRequestedCancel($0) }
    let suspended = promises.filter { world.isSuspended($0) }
    trace.append(.view(promises, results, suspended: suspended, asked: asked, work: world.waitingWork))
  }

  // MARK: Steps

  private func perform(_ step: ProgramStep) {
    switch step {
    case .makePromise:
      guard let promise = newPromise() else { return }
      resolvers.append(promise)
      world.makePromise(promise)
      promises.append(promise)
    case .makeResolved(let kind):
      guard let promise = newPromise() else { return }
      world.makeResolved(promise, ProgramResult(kind, promise))
      promises.append(promise)
    case .observe(let source, let kind, let context, let token, let target, let script):
      guard let source = promises.chosen(by: source), let target = promises.chosen(by: target),
        let promise = newPromise()
      else { return }
      let observer = Observer(
        kind: kind, promise: promise, context: context,
        token: token.flatMap { use in tokens.chosen(by: use.token).map(use.with) }, target: target,
        callback: newCallback(script))
      world.observe(source, by: observer)
      // The callback may have run by now, and have dropped what it liked; but not this.
      if kind != .report { promises.append(promise) }
    case .gather(let kind, let inputs, let asks, let script):
      let inputs = inputs.compactMap { promises.chosen(by: $0) }
      guard !inputs.isEmpty, let promise = newPromise() else { return }
      let map = Observer(
        kind: .map, promise: promise, context: .immediate, token: nil, target: inputs[0], callback: newCallback(script))
      world.gather(kind, inputs, asks: asks, by: map)
      promises.append(promise)
    case .resolve(let number, let kind):
      guard let resolver = resolvers.chosen(by: number) else { return }
      count += 1
      world.resolve(resolver, with: ProgramResult(kind, count))
    case .adopt(let number, let other):
      guard let resolver = resolvers.chosen(by: number), let promise = promises.chosen(by: other),
        allowsCycles || promise < resolver
      else { return }
      world.adopt(promise, by: resolver)
    case .onRequestCancel(let number, let context, let script):
      guard let resolver = resolvers.chosen(by: number) else { return }
      world.onRequestCancel(resolver, on: context, callback: newCallback(script))
    case .attach(let number):
      guard let resolver = resolvers.chosen(by: number) else { return }
      count += 1
      world.attach(count, to: resolver)
    case .suspend(let number): promises.chosen(by: number).map { world.suspend($0) }
    case .resume(let number): promises.chosen(by: number).map { world.resume($0) }
    case .requestCancel(let number): promises.chosen(by: number).map { world.requestCancel($0) }
    case .dropPromise(let number): promises.take(by: number).map { world.dropPromise($0) }
    case .dropResolver(let number): resolvers.take(by: number).map { world.dropResolver($0) }
    case .runNext: if world.waitingWork > 0 { world.runNext() }
    case .dropNext: if world.waitingWork > 0 { world.dropNext() }
    case .makeToken, .guardPromise, .invalidate, .cancelWithoutInvalidating, .dropToken:
      performOnToken(step)
    }
  }

  private func performOnToken(_ step: ProgramStep) {
    switch step {
    case .makeToken:
      count += 1
      world.makeToken(count)
      tokens.append(count)
    case .guardPromise(let token, let promise):
      guard let token = tokens.chosen(by: token), let promise = promises.chosen(by: promise) else {
        return
      }
      world.guardPromise(promise, token: token)
    case .invalidate(let number): tokens.chosen(by: number).map { world.invalidate($0) }
    case .cancelWithoutInvalidating(let number):
      tokens.chosen(by: number).map { world.cancelWithoutInvalidating($0) }
    case .dropToken(let number): tokens.take(by: number).map { world.dropToken($0) }
    default: break
    }
  }

  private func newPromise() -> Int? {
    guard promises.count < most else { return nil }
    count += 1
    return count
  }

  private func newCallback(_ script: [ProgramStep]) -> Int {
    scripts.append(script)
    return scripts.count - 1
  }
}

extension [Int] {
  fileprivate func chosen(by number: Int) -> Int? { isEmpty ? nil : self[number % count] }

  fileprivate mutating func take(by number: Int) -> Int? {
    isEmpty ? nil : remove(at: number % count)
  }
}
