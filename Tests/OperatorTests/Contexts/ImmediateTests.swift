import Overmorrow
import Testing

@Suite(.inTurn) struct ImmediateTests {
  @Test(
    "2.7 an immediate callback runs inside the resolving call, or the registering call if resolved already",
    arguments: TestedOperator<Reason>.every, [false, true])
  func inside(tested: TestedOperator<Reason>, isResolved: Bool) {
    for ending in tested.runsFor {
      let log = Recorder<String>()
      let (promise, resolver) = Promise<Int, Reason>.makeWithResolver()
      if isResolved { resolver.resolve(with: ending.result(7, "no")) }
      log.record("register")
      let child = tested(promise, on: .immediate) { log.record("callback") }
      log.record("registered")
      if !isResolved { resolver.resolve(with: ending.result(7, "no")) }
      log.record("resolved")
      let expected = isResolved ? ["register", "callback", "registered"] : ["register", "registered", "callback"]
      #expect(log.entries == expected + ["resolved"])
      #expect(child.result != nil)
    }
  }

  @Test("2.7 a whole immediate chain runs inside the resolving call, on the resolving thread")
  func chain() async throws {
    let isSameThread = try await onOwnThread("an immediate chain") {
      let threads = Recorder<ObjectIdentifier>()
      let (promise, resolver) = Promise<Int, Reason>.makeWithResolver()
      let last = promise.then(on: .immediate) { _ in threads.record(currentThread) }
        .flatMap(on: .immediate) { value in
          threads.record(currentThread)
          return Promise(fulfilled: value)
        }
        .mapResult(on: .immediate) { result in
          threads.record(currentThread)
          return result
        }
      resolver.fulfill(with: 7)
      return last.result == .value(7) && threads.entries == Array(repeating: currentThread, count: 3)
    }
    #expect(isSameThread)
  }

  @Test(
    "2.7 an immediate callback that the last callback of a resolution adds runs inside its registering call",
    arguments: [PromiseContext.immediate, .nowOr(.main)])
  func addedByTheLast(context: PromiseContext) {
    let log = Recorder<String>()
    let (promise, resolver) = Promise<Int, Reason>.makeWithResolver()
    promise.then(on: .immediate) { _ in log.record("first") }
    promise.then(on: .immediate) { [promise] _ in
      log.record("last begins")
      promise.then(on: context) { _ in log.record("added") }
      promise.then(on: context) { _ in log.record("also added") }
      log.record("last ends")
    }
    resolver.fulfill(with: 7)
    #expect(log.entries == ["first", "last begins", "added", "also added", "last ends"])
  }
}
