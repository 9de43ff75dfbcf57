/// The objects that one thread of a program holds. Performs the program's steps with them.
final class ProgramHand<World: ProgramWorld> {
  private(set) var promises: [Int] = []
  private(set) var resolvers: [Int] = []
  private(set) var tokens: [Int] = []
  // Objects that other hands use too, and that this one must not drop.
  private var sharedPromises: Set<Int> = []
  private var sharedResolvers: Set<Int> = []
  private var sharedTokens: Set<Int> = []
  /// The promise on which each immediate callback was registered.
  private(set) var sources: [Int: Int] = [:]
  /// The steps of each callback.
  private(set) var scripts: [Int: [ProgramStep]] = [:]

  let world: World
  private let allowsCycles: Bool
  private var count: Int

  /// The largest number of promises: enough for a test, and less than the limit for nested passes.
  private let most = 20

  /// - Parameters:
  ///   - first: The number from which new objects are numbered.
  ///   - allowsCycles: Whether a promise may adopt a younger one. If not, the waiting promise is always the younger
  ///     one, so no cycle can arise.
  init(_ world: World, from first: Int = 0, allowsCycles: Bool) {
    self.world = world
    self.allowsCycles = allowsCycles
    count = first
  }

  /// Distributes the objects to hands that run in parallel. Some go to all hands, and no hand may drop those; the rest
  /// is divided among them.
  func deal(among count: Int) -> [ProgramHand] {
    (0..<count).map { number in
      let hand = ProgramHand(world, from: (number + 1) * 1000, allowsCycles: allowsCycles)
      func share(of item: Int, _ salt: Int) -> Int { (item * 7 + salt) % (count + 2) }
      func dealt(_ items: [Int], _ salt: Int) -> [Int] {
        items.filter { share(of: $0, salt) == number || share(of: $0, salt) >= count }
      }
      (hand.promises, hand.resolvers, hand.tokens) = (dealt(promises, 0), dealt(resolvers, 1), dealt(tokens, 2))
      hand.sharedPromises = Set(promises.filter { share(of: $0, 0) >= count })
      hand.sharedResolvers = Set(resolvers.filter { share(of: $0, 1) >= count })
      hand.sharedTokens = Set(tokens.filter { share(of: $0, 2) >= count })
      return hand
    }
  }

  /// Takes back the objects that the hands still hold.
  func collect(_ hands: [ProgramHand]) {
    promises = Set(hands.flatMap(\.promises)).sorted()
    resolvers = Set(hands.flatMap(\.resolvers)).sorted()
    tokens = Set(hands.flatMap(\.tokens)).sorted()
  }

  /// The observable state.
  var view: ProgramObservation {
    .view(
      promises, promises.map { world.result(of: $0) }, asked: resolvers.filter { world.hasRequestedCancel($0) },
      work: world.waitingWork)
  }

  func perform(_ step: ProgramStep) {
    switch step {
    case .makePromise:
      guard let promise = newPromise() else { return }
      resolvers.append(promise)
      world.makePromise(promise)
      promises.append(promise)
    case .makeResolved(let ending):
      guard let promise = newPromise() else { return }
      world.makeResolved(promise, ending.result(promise, promise))
      promises.append(promise)
    case .observe(let source, let kind, let context, let token, let target, let script):
      guard let source = promises.chosen(by: source), let target = promises.chosen(by: target),
        let promise = newPromise()
      else { return }
      let observer = Observer(
        kind: kind, promise: promise, context: context,
        token: token.flatMap { use in tokens.chosen(by: use.token).map { TokenUse(token: $0, isOfChain: use.isOfChain) }
        },
        target: target, callback: newCallback(script))
      if context == .immediate { sources[observer.callback] = source }
      world.observe(source, by: observer)
      // The callback may already have run and dropped any object except this promise.
      if kind != .report { promises.append(promise) }
    case .gather(let kind, let inputs, let asks, let script):
      let inputs = inputs.compactMap { promises.chosen(by: $0) }
      guard !inputs.isEmpty, let promise = newPromise() else { return }
      let map = Observer(
        kind: .map, promise: promise, context: .immediate, token: nil, target: inputs[0], callback: newCallback(script))
      world.gather(kind, inputs, asks: asks, by: map)
      promises.append(promise)
    case .resolve(let number, let ending):
      guard let resolver = resolvers.chosen(by: number) else { return }
      count += 1
      world.resolve(resolver, with: ending.result(count, count))
    case .adopt(let number, let other):
      guard let resolver = resolvers.chosen(by: number), let promise = promises.chosen(by: other),
        allowsCycles || promise < resolver
      else { return }
      world.adopt(promise, by: resolver)
    case .onRequestCancel(let number, let context, let script):
      guard let resolver = resolvers.chosen(by: number) else { return }
      world.onRequestCancel(resolver, on: context, callback: newCallback(script))
    case .requestCancel(let number): promises.chosen(by: number).map { world.requestCancel($0) }
    case .dropPromise(let number): promises.take(by: number, except: sharedPromises).map { world.dropPromise($0) }
    case .dropResolver(let number): resolvers.take(by: number, except: sharedResolvers).map { world.dropResolver($0) }
    case .runNext: world.runNext()
    case .dropNext: world.dropNext()
    case .makeToken:
      count += 1
      world.makeToken(count)
      tokens.append(count)
    case .guardPromise(let token, let promise):
      guard let token = tokens.chosen(by: token), let promise = promises.chosen(by: promise) else { return }
      world.guardPromise(promise, token: token)
    case .invalidate(let number, let suppressing):
      tokens.chosen(by: number).map { world.invalidate($0, suppressing: suppressing) }
    case .dropToken(let number): tokens.take(by: number, except: sharedTokens).map { world.dropToken($0) }
    }
  }

  /// Drops all objects in an order that the seed determines, then requests the cancellation of the promises that are
  /// still unresolved, and drops the results of that.
  ///
  /// - Returns: The number of objects still alive.
  func dropAll(by seed: UInt64, afterEach: () -> Void = {}) -> Int {
    var generator = SeededGenerator(seed: seed)
    var hasAsked: Bool
    repeat {
      while !(promises.isEmpty && resolvers.isEmpty && tokens.isEmpty && world.waitingWork == 0) {
        let number = Int.random(in: 0..<1000, using: &generator)
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: perform(.dropPromise(number))
        case 1: perform(.dropResolver(number))
        case 2: perform(.dropToken(number))
        default: perform(.runNext)
        }
        afterEach()
      }
      hasAsked = world.askUnresolved()
      afterEach()
    } while hasAsked
    return world.leaks
  }

  private func newPromise() -> Int? {
    guard promises.count < most else { return nil }
    count += 1
    return count
  }

  private func newCallback(_ script: [ProgramStep]) -> Int {
    count += 1
    scripts[count] = script
    return count
  }
}

extension [Int] {
  fileprivate func chosen(by number: Int) -> Int? { isEmpty ? nil : self[number % count] }

  fileprivate mutating func take(by number: Int, except shared: Set<Int>) -> Int? {
    let indices = shared.isEmpty ? Array(indices) : indices.filter { !shared.contains(self[$0]) }
    return indices.isEmpty ? nil : remove(at: indices[number % indices.count])
  }
}
