#if os(macOS) || os(Linux)
  import Dispatch
  import OvermorrowEngine
  import OvermorrowTesting
  import Testing

  @testable import Overmorrow
  @testable import OvermorrowDiagnostics

  /// A random program whose callbacks keep no queue for too long. The callbacks make time pass by ticking the watch.
  ///
  /// A tick counts for the callbacks of all threads. So in a program that runs callbacks on several threads, either only
  /// a few ticks happen at all, or no callback runs on the main queue or on a serial queue.
  final class RandomCallbacks: Sendable {
    private typealias Subject = Promise<Int, Reason>

    /// The operators whose promise is resolved after their callback. So the end of a chain is the end of its callbacks.
    private static let operators = TestedOperator.every.filter { !$0.returnsReceiver }

    private enum Kind {
      /// All callbacks run on one queue: the main queue or a serial queue. The callbacks that do not run inside others
      /// have the full number of ticks each.
      case onOneQueue(PromiseContext, ticks: Int)
      /// The callbacks run on queues of all kinds, and share the ticks of one callback on the main queue.
      case everywhere
      /// The callbacks run on concurrent queues and on an actor, and may tick often and block.
      case concurrent
    }

    private struct State {
      var random: SeededGenerator
      /// The number of callbacks that are running.
      var depth = 0
      var ticksLeft = 4
      var resolvers: [Promise<Int, Reason>.Resolver] = []
    }

    private let kind: Kind
    private let contexts: [PromiseContext]
    private let state: Guarded<State>
    private let serial = DispatchQueue(label: "random serial")

    init(seed: UInt64) {
      let concurrent = PromiseContext.queue(DispatchQueue(label: "random concurrent", attributes: .concurrent))
      let others = [concurrent, .queue(.global()), .utility, .default, .actor(Worker()), .immediate]
      switch seed % 4 {
      case 0: (kind, contexts) = (.onOneQueue(.main, ticks: 4), [.main, .queue(.main), .immediate, .nowOr(.main)])
      case 1:
        let queue = PromiseContext.queue(serial)
        (kind, contexts) = (.onOneQueue(queue, ticks: 32), [queue, .immediate, .nowOr(queue)])
      case 2: (kind, contexts) = (.everywhere, others + [.main, .queue(.main), .queue(serial)])
      default: (kind, contexts) = (.concurrent, others)
      }
      state = Guarded(State(random: SeededGenerator(seed: seed)))
    }

    func run() async {
      switch kind {
      case .onOneQueue(let context, _):
        // The first callback only submits the work, which then runs on the queue but in no callback.
        let ends = Holder<[Subject]>()
        let work: @Sendable () -> Void = { ends.value = self.makeChains() }
        let isMade = Latch()
        let queue = if case .queue(let queue) = context { queue } else { DispatchQueue.main }
        queue.async {
          work()
          isMade.signal()
        }
        await isMade.wait(for: "the chains")
        await end(ends.value ?? [])
      case .everywhere, .concurrent:
        let ends = makeChains()
        for _ in 0..<10 { DispatchQueue.global().async { self.resolveOne() } }
        await end(ends)
      }
    }

    /// Resolves all sources, and waits for the ends of all chains.
    private func end(_ ends: [Subject]) async {
      let isResolved = Latch()
      let queue = if case .onOneQueue(.main, _) = kind { DispatchQueue.main } else { serial }
      queue.async {
        while self.resolveOne() {}
        isResolved.signal()
      }
      await isResolved.wait(for: "the last source")
      for end in ends { _ = await end.outcome("the end of a chain") }
      await until("the end of all callbacks") { StallWatch.isIdle }
    }

    // MARK: Chains

    private func pick(_ count: Int) -> Int { state.withLock { Int.random(in: 0..<count, using: &$0.random) } }

    private func makeChains() -> [Subject] {
      (0..<(3 + pick(8))).map { _ in
        var promise = source()
        for _ in 0...pick(6) {
          promise = Self.operators[pick(Self.operators.count)](promise, on: contexts[pick(contexts.count)]) {
            self.callback()
          }
        }
        return promise
      }
    }

    private func source() -> Subject {
      switch pick(4) {
      case 0: return Subject(fulfilled: 1)
      case 1: return Subject(rejected: "no")
      case 2:
        return Subject(on: contexts[pick(contexts.count)]) { resolver in
          self.callback { resolver.fulfill(with: 2) }
        }
      default:
        let (promise, resolver) = Subject.makeWithResolver()
        state.withLock { $0.resolvers.append(resolver) }
        return promise
      }
    }

    @discardableResult
    private func resolveOne() -> Bool {
      guard let resolver = state.withLock({ $0.resolvers.popLast() }) else { return false }
      switch pick(3) {
      case 0: resolver.fulfill(with: 3)
      case 1: resolver.reject(with: "no")
      default: resolver.cancel()
      }
      return true
    }

    private func callback(_ end: () -> Void = {}) {
      let ticks = state.withLock { state in
        state.depth += 1
        switch kind {
        case .onOneQueue(_, let limit):
          if state.depth == 1 { state.ticksLeft = limit }
        case .everywhere: break
        case .concurrent: state.ticksLeft = 40
        }
        let ticks = Int.random(in: 0...state.ticksLeft, using: &state.random)
        state.ticksLeft -= ticks
        return ticks
      }
      for _ in 0..<ticks { StallWatch.tick() }
      if case .concurrent = kind, pick(4) == 0 {
        _ = Subject(on: .userInitiated) { $0.fulfill(with: 4) }.waitForResult(timeout: .seconds(60))
      }
      // The callbacks of the resolved promise may run inside this call.
      if pick(3) == 0 { resolveOne() }
      end()
      state.withLock { $0.depth -= 1 }
    }

    private actor Worker {}
  }
#endif
