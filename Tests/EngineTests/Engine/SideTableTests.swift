import Testing

@testable import Overmorrow
@testable import OvermorrowEngine

@Suite(.inTurn) struct SideTableTests {
  private typealias Subject = Promise<Int, Never>

  /// A promise that several threads use in parallel, each of which releases its own reference.
  private final class Round: Sendable {
    let promise: Holder<Subject>
    let resolver: Holder<Subject.Resolver>
    let weak: WeakCore
    let ran = Counter()
    let tracker = Tracker()

    init(_ prepare: (Round) -> Void = { _ in }) {
      let (promise, resolver) = Subject.makeWithResolver()
      (self.promise, self.resolver) = (Holder(promise), Holder(resolver))
      weak = WeakCore(promise.handle.core)
      prepare(self)
    }

    /// Registers a handler that fulfils the promise.
    func addAnswer() {
      resolver.value?.onRequestCancel(on: .immediate) { [ran] resolver in
        ran.increment()
        resolver.fulfill(with: 1)
      }
    }
  }

  @Test("a core gets its side table when it needs one, and keeps it")
  func whenNeeded() {
    let (promise, resolver) = Subject.makeWithResolver()
    let child = promise.map(on: .immediate) { $0 + 1 }
    child.requestCancel()
    #expect(!promise.handle.core.link.hasSideTable && !child.handle.core.link.hasSideTable)
    resolver.onRequestCancel(on: .immediate) { _ in }
    let sideTable = promise.handle.core.sideTable
    withExtendedLifetime(promise.cancellable) { #expect(promise.handle.core.sideTable === sideTable) }
    resolver.fulfill(with: 1)
    #expect(promise.handle.core.sideTable === sideTable && child.result == .value(2))
  }

  // MARK: Weak references

  @Test("a weak reference leads to a resolved promise, and to nothing after its end")
  func weakReference() {
    let round = Round()
    #expect(!round.weak.isSpent && round.weak.read { $0.address } == round.promise.value?.handle.core.address)
    round.resolver.value?.fulfill(with: 1)
    #expect(round.weak.isSpent && round.weak.read { $0.outcome } == .some(.value))
    round.resolver.value = nil
    round.promise.value = nil
    #expect(round.weak.isSpent && round.weak.read { $0.address } == nil)
    round.weak.withCore { _ in Issue.record("a promise that has ended was found") }
    round.weak.requestCancel()
  }

  @Test("two threads may use a weak reference while the promise ends on a third")
  func weakReferenceRace() async {
    await race(
      rounds: 5000, { Round() }, { $0.weak.requestCancel() },
      { round in
        var address: UInt?
        round.weak.withCore { address = $0.address }
        // The core's count may already be zero without its side table knowing. Then only `look` finds the core.
        if let address, let found = round.weak.read({ $0.address }), address != found { round.ran.increment() }
      },
      { round in
        round.resolver.value = nil
        round.promise.value = nil
      },
      check: { round in
        if round.ran.count > 0 { return "another promise was found" }
        return round.weak.read { $0.address } == nil && round.weak.isSpent ? nil : "the promise has not ended"
      })
  }

  // MARK: Handlers

  @Test("a handler added during resolution runs only after a request, and is released")
  func addedWhileResolving() async {
    for isAsked in [false, true] {
      await race(
        rounds: 3000, { Round() },
        { round in
          for _ in 0..<2 {
            let handler = round.tracker.callback { [ran = round.ran] (_: Subject.Resolver) in ran.increment() }
            round.resolver.value?.onRequestCancel(on: .immediate, handler)
          }
        },
        { $0.resolver.value?.fulfill(with: 1) }, { if isAsked { $0.promise.value?.requestCancel() } },
        check: { round in
          if round.ran.count > (isAsked ? 2 : 0) { return "\(round.ran.count) handlers ran" }
          return round.tracker.count == 0
            ? nil : "\(round.tracker.count) handlers are kept by a promise that has resolved"
        })
    }
  }

  // MARK: Without a resolver

  @Test("1.4 the last resolver's release cancels the promise, and its handlers do not run")
  func handlersDoNotKeepThePromise() {
    let round = Round { $0.addAnswer() }
    round.resolver.value = nil
    #expect(round.promise.value?.result == .cancelled && round.ran.count == 0)
  }

  @Test("1.4 when the last resolver's release races with requests, the promise resolves once")
  func lastResolverAgainstRequests() async {
    await race(
      rounds: 5000, { Round { $0.addAnswer() } }, { $0.resolver.value = nil }, { $0.promise.value?.requestCancel() },
      { $0.weak.requestCancel() },
      check: { round in
        let result = round.promise.value?.result
        let isRight = round.ran.count == 0 ? result == .cancelled : round.ran.count == 1 && result == .value(1)
        return isRight ? nil : "\(round.ran.count) answers, \(result as Any)"
      })
  }

  @Test("1.4 when everything is released during a request, the promise resolves and nothing is left")
  func allReleased() async {
    await race(
      rounds: 5000,
      {
        Round { round in
          round.addAnswer()
          round.promise.value?.tap(on: .immediate, round.tracker.callback { _ in round.ran.increment() })
        }
      },
      { $0.resolver.value = nil }, { $0.promise.value = nil }, { $0.weak.requestCancel() },
      check: { round in
        if !(1...2).contains(round.ran.count) { return "it has resolved and been asked \(round.ran.count) times" }
        return round.tracker.count == 0 && round.weak.read { $0.address } == nil ? nil : "something is left"
      })
  }

  // MARK: Rosters

  @Test("the rosters of released tokens are swept while the promise is pending")
  func rosters() {
    let (promise, resolver) = Subject.makeWithResolver()
    for _ in 0..<100 { PromiseInvalidationToken().requestCancelOnInvalidate(promise) }
    let kept = (0..<20).map { _ in PromiseInvalidationToken() }
    for token in kept { token.requestCancelOnInvalidate(promise) }
    for _ in 0..<100 { PromiseInvalidationToken().requestCancelOnInvalidate(promise) }
    let count = promise.handle.core.sideTable.state.withLock { $0.rosters.elements.count }
    #expect(count >= kept.count && count <= 2 * kept.count + 8)
    resolver.fulfill(with: 1)
    #expect(promise.handle.core.sideTable.state.withLock { $0.rosters.elements.isEmpty })
  }

  @Test("a swept list keeps its order and removes spent entries when it has doubled")
  func sweptList() {
    var list = SweptList<Int>()
    var removed: [Int] = []
    for number in 0..<1000 { removed += list.append(number) { $0 % 10 != 0 } }
    #expect((list.elements + removed).sorted() == Array(0..<1000))
    #expect(removed.allSatisfy { $0 % 10 != 0 } && list.elements == list.elements.sorted() && list.last == 999)
    #expect(list.elements.count <= 200)
    #expect(list.takeAll().last == 999 && list.elements.isEmpty)
  }

  @Test("a list returns an entry that becomes spent during the sweep, or keeps it")
  func sweptMeanwhile() {
    var (list, removed, looks) = (SweptList<Int>(), [Int](), 0)
    for number in 0..<100 {
      removed += list.append(number) { _ in
        looks += 1
        return looks % 3 == 0
      }
    }
    #expect((list.elements + removed).sorted() == Array(0..<100))
  }
}
