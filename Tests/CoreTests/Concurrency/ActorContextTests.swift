import Dispatch
import Testing

@testable import Overmorrow

private actor Account {
  var entries: [Int] = []

  func append(_ entry: Int) { entries.append(entry) }

  /// Registers callbacks that use the actor's state without annotations, and one that does not use it.
  func follow(_ promise: Subject, done: Latch, _ run: @escaping @Sendable (isolated (any Actor)?) -> Void) {
    var seen = 0
    promise.then { _ in run(#isolation) }
    promise.then { self.entries.append($0) }
    promise.map { $0 + self.entries.count }.then { self.entries.append($0) }
    promise.always { _ in
      seen += 1
      self.entries.append(100 + seen)
      done.signal()
    }
  }

  func now(_ promise: Subject) -> [Int] {
    promise.then(nowIfResolved: true) { self.entries.append($0) }
    return entries
  }
}

@Suite(.inTurn) struct ActorContextTests {
  private let account = Account()

  @Test("2.11 2.3 closures isolated to an actor run on it in the order of registration")
  func here() async {
    let (done, isRight) = (Latch(), Recorder<Bool>())
    let (promise, resolver) = Subject.makeWithResolver()
    await account.follow(promise, done: done) { actor in
      isRight.record(actor === account)
      account.assertIsolated()
    }
    resolver.fulfill(with: 7)
    await done.wait(for: "the last closure")
    #expect(isRight.entries == [true])
    let after = Latch()
    promise.then(on: .actor(account)) { _ in after.signal() }
    await after.wait(for: "a later closure")
    #expect(await account.entries == [7, 101, 8])
  }

  @Test("2.8 with nowIfResolved, a closure runs inside the call on its own actor")
  func now() async {
    #expect(await account.now(Subject(fulfilled: 3)) == [3])
  }

  @Test("2.5 2.18 10,000 callbacks on one actor from several threads keep each thread's order")
  func order() async {
    let done = Latch(4)
    for thread in 0..<4 {
      DispatchQueue.global().async {
        for index in 0..<2500 {
          Subject(fulfilled: thread * 10_000 + index).then(on: .actor(account)) { value in
            account.assumeIsolated { $0.entries.append(value) }
            if value % 10_000 == 2499 { done.signal() }
          }
        }
      }
    }
    await done.wait(for: "the last callback of each thread")
    let entries = await account.entries
    #expect(entries.count == 10_000)
    for thread in 0..<4 {
      let own = entries.filter { $0 / 10_000 == thread }
      #expect(own == own.sorted())
    }
  }

  @Test("2.11 2.18 an actor's other work runs between callbacks of an endless chain")
  func fairness() async {
    let stop = Counter()
    let loop = Holder<@Sendable () -> Void>()
    loop.value = {
      if stop.count == 0 { Subject(fulfilled: 1).then(on: .actor(account)) { _ in loop.value?() } }
    }
    loop.value?()
    await account.append(1)
    stop.increment()
    loop.value = nil
    #expect(await account.entries == [1])
  }

  @Test("2.6 a callback is released on the actor that it ran on")
  func released() async {
    let gone = Latch()
    let (promise, resolver) = Subject.makeWithResolver()
    promise.then(
      on: .actor(account),
      Tracker().callback(onDeinit: {
        account.preconditionIsolated()
        gone.signal()
      }))
    resolver.fulfill(with: 1)
    await gone.wait(for: "the callback's end")
  }
}
