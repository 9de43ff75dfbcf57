import Overmorrow
import OvermorrowTesting
import Testing

/// Watches the promises that a closure makes, whatever the level. Returns the return value of the closure.
private func watched<Result>(_ body: () -> Result) -> Result { PromiseDiagnostics.checking(body).result }

/// Watched promises of which each can be resolved with the next one, and the last with the first.
private struct Ring: Sendable {
  let links: [(promise: Promise<Int, Reason>, resolver: Promise<Int, Reason>.Resolver)]

  init(_ count: Int) { links = watched { (0..<count).map { _ in Promise.makeWithResolver() } } }

  func next(_ index: Int) -> Promise<Int, Reason> { links[(index + 1) % links.count].promise }
  func close(_ index: Int) { links[index].resolver.resolve(with: next(index)) }
  func closeAll() { for index in links.indices { close(index) } }
  func requestCancel() { for link in links { link.promise.requestCancel() } }

  /// Returns a fault unless all promises are cancelled.
  var finding: String? {
    let results = links.map(\.promise.result)
    return results.allSatisfy { $0 == .cancelled } ? nil : "\(results)"
  }
}

/// A way to build a cycle of promises.
private struct Cycle: Sendable, CustomTestStringConvertible {
  typealias IntPromise = Promise<Int, Reason>

  let testDescription: String
  /// Closes the cycle, and returns the promises that this must cancel.
  let close: @Sendable () -> [IntPromise]

  init(_ name: String, _ close: @escaping @Sendable () -> [IntPromise]) {
    testDescription = name
    self.close = close
  }

  /// Resolves a promise with another promise that `derive` makes from it.
  private static func derived(_ name: String, _ derive: @escaping @Sendable (IntPromise) -> IntPromise) -> Cycle {
    Cycle(name) {
      let (promise, resolver) = IntPromise.makeWithResolver()
      let child = derive(promise)
      resolver.resolve(with: child)
      return [promise, child]
    }
  }

  /// Like `derived`, but the derived promise has received a request to cancel before.
  private static func asked(_ name: String, _ derive: @escaping @Sendable (IntPromise) -> IntPromise) -> Cycle {
    derived("\(name), after a request to it") { promise in
      let child = derive(promise)
      child.requestCancel()
      return child
    }
  }

  /// Makes a promise with `flatMap` whose callback returns a promise that `derive` makes from that promise.
  private static func returned(
    _ name: String, from prepare: @escaping @Sendable (IntPromise) -> IntPromise = { $0 },
    _ derive: @escaping @Sendable (IntPromise) -> IntPromise
  ) -> Cycle {
    Cycle("a flatMap that returns \(name)") {
      let (source, resolver) = IntPromise.makeWithResolver()
      let own = Holder<IntPromise>()
      let promise = prepare(source).flatMap(on: .immediate) { _ in own.value ?? IntPromise(fulfilled: 0) }
      own.value = derive(promise)
      resolver.fulfill(with: 7)
      defer { own.value = nil }
      return [promise] + (own.value.map { [$0] } ?? [])
    }
  }

  private static func ring(_ count: Int, asked: [Int] = []) -> Cycle {
    Cycle("a ring of \(count), of which \(asked) received a request") {
      let ring = Ring(count)
      for index in asked { ring.links[index].promise.requestCancel() }
      ring.closeAll()
      return ring.links.map(\.promise)
    }
  }

  static let all: [Cycle] =
    [
      derived("itself") { $0 },
      derived("its map") { promise in promise.map(on: .immediate) { $0 } },
      derived("its grandchild") { promise in promise.always(on: .immediate) { _ in }.then(on: .main) { _ in } },
      derived("its makeChild") { $0.makeChild() },
      derived("its tap") { $0.tap() },
      derived("its ignoringCancel") { $0.ignoringCancel() },
      derived("its onCancel") { $0.onCancel(on: .immediate) {} },
      derived("its propagatingCancellation") { $0.propagatingCancellation(on: .immediate) { _ in } },
      asked("its child") { $0.makeChild() },
      derived("its child with cancel handlers") { promise in
        let (child, resolver) = IntPromise.makeWithResolver()
        resolver.onRequestCancel(on: .immediate) { _ in }
        resolver.resolve(with: promise)
        resolver.onRequestCancel(on: .immediate) { _ in }
        return child
      },
      derived("a delay of it") { $0.delay(on: .immediate, .zero, clock: TestClock()) },
      derived("a when(first:) of it") { when(first: [$0]) },
      derived("a when(fulfilled:) of it") { promise in
        let both = when(fulfilled: [IntPromise(fulfilled: 1), promise])
        return both.map(on: .immediate) { $0[0] }
      },
      derived("a when(fulfilled:) of it and of another type") { promise in
        let both = when(fulfilled: promise, Promise<Bool, Reason>(fulfilled: true))
        return both.map(on: .immediate) { $0.0 }
      },
      derived("a bounded when of it") { promise in
        let all = when(fulfilled: [1], maxConcurrent: 1, on: .immediate) { _ in promise }
        return all.map(on: .immediate) { $0[0] }
      },
      asked("a when(first:) of it") { when(first: [$0]) },
      asked("a when(fulfilled:) of it") { promise in
        let all = when(fulfilled: [promise])
        return all.map(on: .immediate) { $0[0] }
      },
      Cycle("a when(first:) of it and of another one") {
        let (promise, resolver) = IntPromise.makeWithResolver()
        let (other, otherResolver) = IntPromise.makeWithResolver()
        resolver.resolve(with: when(first: [other, promise]))
        defer { otherResolver.cancel() }
        return [promise]
      },
      Cycle("a bounded when whose second promise waits for it") {
        let (start, resolver) = IntPromise.makeWithResolver()
        let own = Holder<IntPromise>()
        let all = when(fulfilled: [0, 1], maxConcurrent: 1, on: .immediate) { number in
          number == 0 ? start : own.value ?? start
        }
        let promise = all.map(on: .immediate) { $0.count }
        own.value = promise
        resolver.fulfill(with: 1)
        own.value = nil
        return [promise]
      },
      Cycle("its map without a handle") {
        let (promise, resolver) = IntPromise.makeWithResolver()
        resolver.resolve(with: promise.map(on: .immediate) { $0 })
        return [promise]
      },
      returned("its own promise") { $0 },
      returned("a promise that waits for it") { promise in promise.map(on: .immediate) { $0 }.makeChild() },
      returned(
        "a delay of its own promise, and was made of a delay",
        from: { $0.delay(on: .immediate, .zero, clock: TestClock()) },
        { $0.delay(on: .immediate, .zero, clock: TestClock()) }),
      returned(
        "a when(first:) of its own promise, and was made of one", from: { when(first: [$0]) }, { when(first: [$0]) }),
      Cycle("two flatMaps that wait for one another") {
        let (source, resolver) = IntPromise.makeWithResolver()
        let own = Holder<IntPromise>()
        let first = source.flatMap(on: .immediate) { _ in own.value ?? IntPromise(fulfilled: 0) }
        let second = source.flatMap(on: .immediate) { _ in first }
        own.value = second
        resolver.fulfill(with: 7)
        own.value = nil
        return [first, second]
      },
      Cycle("itself, while another promise adopts it") {
        let (tail, tailResolver) = IntPromise.makeWithResolver()
        let (promise, resolver) = IntPromise.makeWithResolver()
        tailResolver.resolve(with: promise)
        resolver.resolve(with: promise)
        return [promise, tail]
      },
      derived("the last of 300 inputs, of which the others have resolved") { promise in
        let inputs = (0..<300).map { _ in IntPromise.makeWithResolver() }
        let all: Promise<[Int], Reason> = when(fulfilled: inputs.map { $0.promise } + [promise])
        for input in inputs { input.resolver.fulfill(with: 1) }
        return all.map(on: .immediate) { $0[0] }
      },
      ring(2), ring(3), ring(200),
    ] + [[0], [1], [0, 1]].map { ring(2, asked: $0) } + [[0], [1], [2], [0, 2], [0, 1, 2]].map { ring(3, asked: $0) }
}

@Suite(.heavy) struct CycleTests {
  @Test("1.7 a cycle of promises is cancelled with its waiters, and a diagnostic reports it", arguments: Cycle.all)
  private func cancels(cycle: Cycle) async throws {
    let promises = Holder<[Promise<Int, Reason>]>()
    #expect(try await diagnostics { promises.value = watched(cycle.close) } == [.resolvedWithItself()])
    let results = promises.value?.map(\.result) ?? []
    #expect(results.allSatisfy { $0 == .cancelled })
    #expect(!results.isEmpty)
  }

  @Test("1.7 the observers of a cycle receive its cancellation, and nothing stays in memory")
  func leavesNothing() {
    let (tracker, cancellations) = (Tracker(), Counter())
    do {
      let ring = Ring(3)
      for link in ring.links {
        link.promise.onCancel(on: .immediate) { cancellations.increment() }
        link.promise.then(on: .immediate, tracker.callback())
        link.resolver.onRequestCancel(on: .immediate, tracker.callback())
      }
      ring.closeAll()
    }
    #expect(cancellations.count == 3)
    #expect(tracker.count == 0)
  }

  @Test("1.7 a cycle that two threads close together is cancelled", arguments: [false, true])
  func closedByTwo(requestsCancellation: Bool) async {
    let rounds = Counter()
    await race(
      rounds: 10_000, within: isSanitized ? .milliseconds(500) : .seconds(600),
      {
        let ring = Ring(2)
        if requestsCancellation { ring.requestCancel() }
        return ring
      },
      { $0.close(0) }, { $0.close(1) },
      check: { ring in
        rounds.increment()
        return ring.finding
      })
    #expect(isSanitized || rounds.count == 10_000, "only \(rounds.count) rounds were run")
  }

  @Test("1.7 a cycle of three with steps that three threads close is cancelled")
  func closedByThree() async {
    await race(
      rounds: 3000, within: .seconds(2), { Ring(3) },
      (0..<3).map { index in
        { ring in ring.links[index].resolver.resolve(with: ring.next(index).map(on: .immediate) { $0 + 1 }) }
      },
      check: \.finding)
  }

  @Test("1.7 a cycle that is closed while its cancellation is requested is cancelled")
  func closedWhileAsked() async {
    await race(rounds: 500, { Ring(2) }, { $0.closeAll() }, { $0.requestCancel() }, check: \.finding)
  }

  /// Promises with one observer each that adopt other promises.
  private final class Adopters: Sendable {
    typealias Pair = (promise: Promise<Int, Reason>, resolver: Promise<Int, Reason>.Resolver)
    let pairs: [Pair]
    let heard = Counter()

    init(_ count: Int) {
      pairs = (0..<count).map { _ in Promise<Int, Reason>.makeWithResolver() }
      for pair in pairs { pair.promise.always(on: .immediate) { [heard] _ in heard.increment() } }
    }
  }

  @Test("1.7 many children of a promise at the end of a long chain resolve")
  func sharedByMany() async throws {
    // Each client walks up the chain.
    let heard = try await onSmallStack {
      let (source, resolver) = Promise<Int, Reason>.makeWithResolver()
      let chain = (0..<scaled(5000)).reduce(source) { promise, _ in promise.map(on: .immediate) { $0 } }
      let clients = Adopters(scaled(5000))
      for client in clients.pairs { client.resolver.resolve(with: chain) }
      resolver.fulfill(with: 7)
      return clients.heard.count
    }
    #expect(heard == scaled(5000))
  }

  @Test(
    "1.7 observed promises are linked, in any order, in time proportional to their number",
    arguments: ["upstream first", "downstream first", "from the middle", "every second one first", "in no order"])
  func linkedInOrder(order: String) async throws {
    let count = scaled(4000)
    let heard = try await onOwnThread("promises to be linked \(order)") {
      let links = Adopters(count + 1)
      let indices: [Int] =
        switch order {
        case "upstream first": (0..<count).reversed()
        case "downstream first": Array(0..<count)
        case "from the middle": (0..<count / 2).flatMap { [count / 2 + $0, count / 2 - 1 - $0] }
        case "in no order": (0..<count).map { ($0 * 7919) % count }
        default: Array(stride(from: 0, to: count, by: 2)) + stride(from: 1, to: count, by: 2).reversed()
        }
      for index in indices { links.pairs[index].resolver.resolve(with: links.pairs[index + 1].promise) }
      links.pairs[count].resolver.fulfill(with: 7)
      return links.heard.count
    }
    #expect(heard == count + 1)
  }
}
