/// What one thread of a program holds, and how it performs the program's steps with that.
final class ProgramHand<World: ProgramWorld> {
  private(set) var promises: [Int] = []
  private(set) var resolvers: [Int] = []
  private(set) var tokens: [Int] = []
  // What others use, too, and this one must not drop.
  private var sharedPromises: Set<Int> = []
  private var sharedResolvers: Set<Int> = []
  private var sharedTokens: Set<Int> = []
  /// On which promise each callback was registered that runs at once.
  private(set) var sources: [Int: Int] = [:]
  /// The steps of each callback.
  private(set) var scripts: [Int: [ProgramStep]] = [:]

  let world: World
  private let allowsCycles: Bool
  private var count: Int

  /// So many promises are enough, and fewer than passes may nest.
  private let most = 20

  /// - Parameters:
  ///   - first: What is made is called by the numbers from this one.
  ///   - allowsCycles: Otherwise a promise adopts only older ones, so that whatever waits is the younger one.
  init(_ world: World, from first: Int = 0, allowsCycles: Bool) {
    self.world = world
    self.allowsCycles = allowsCycles
    count = first
  }

  /// Gives everything to hands that are used at the same time. Some of it goes to all hands, and none of them may drop
  /// it; each has a share of the rest for itself.
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

  /// Takes what hands are left with to which everything was given.
  func collect(_ hands: [ProgramHand]) {
    promises = Set(hands.flatMap(\.promises)).sorted()
    resolvers = Set(hands.flatMap(\.resolvers)).sorted()
    tokens = Set(hands.flatMap(\.tokens)).sorted()
  }

  /// What can be seen now.
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
      // The callback may have run by now, and have dropped what it liked; but not this.
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

  /// Drops everything, in an order that the seed decides, asks whoever is unresolved then, and drops what comes of that.
  ///
  /// - Returns: What is still alive.
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
