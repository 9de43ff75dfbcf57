import Overmorrow
import OvermorrowTesting
import Testing

/// What an invalidation means for every operator that takes a token.
@Suite(.inTurn) struct TokenSuppressionTests {
  private let token = PromiseInvalidationToken()
  private let tracker = Tracker()
  private let calls = Counter()

  private func apply(_ operation: TokenOperator, on context: PromiseContext = .immediate) -> TokenOperator.Applied {
    operation.apply(context, token, tracker.make(), calls)
  }

  /// What the promise of a suppressed callback has come to.
  private func expectSuppressed(_ operation: TokenOperator, _ applied: TokenOperator.Applied) {
    #expect(calls.count == 0)
    #expect(tracker.count == 0)
    #expect(applied.child.isResolved)
    if !operation.observes { #expect(applied.child.isCancelled) }
  }

  @Test("4.1 without an invalidation the callback runs, once", arguments: TokenOperator.all)
  func runs(of operation: TokenOperator) {
    let applied = apply(operation)
    #expect(tracker.count == 1)
    applied.resolve()
    #expect(calls.count == 1)
    #expect(tracker.count == 0)
    #expect(applied.child.isResolved)
  }

  @Test("4.1 invalidated before the result is there, the callback does not run", arguments: TokenOperator.all)
  func beforeResult(of operation: TokenOperator) {
    let applied = apply(operation)
    token.invalidate()
    #expect(!applied.child.isResolved)
    applied.resolve()
    expectSuppressed(operation, applied)
  }

  @Test("4.1 invalidated while it waits on its context, the callback does not run", arguments: TokenOperator.all)
  func onContext(of operation: TokenOperator) {
    let executor = ManualContext()
    let applied = apply(operation, on: executor.context)
    applied.resolve()
    #expect(executor.count == 1)
    token.invalidate()
    executor.runAll()
    expectSuppressed(operation, applied)
  }

  @Test("4.1 invalidated by the end of the token, the callback does not run", arguments: TokenOperator.all)
  func endOfToken(of operation: TokenOperator) {
    let applied: TokenOperator.Applied
    do { applied = operation.apply(.immediate, PromiseInvalidationToken(), tracker.make(), calls) }
    applied.resolve()
    expectSuppressed(operation, applied)
  }

  @Test("4.1 registered after an invalidation, the callback runs", arguments: TokenOperator.all)
  func registeredAfter(of operation: TokenOperator) {
    token.invalidate()
    let applied = apply(operation)
    applied.resolve()
    #expect(calls.count == 1)
  }

  @Test("4.2 cancelWithoutInvalidating leaves the callback alone", arguments: TokenOperator.all)
  func cancelWithoutInvalidating(of operation: TokenOperator) {
    let applied = apply(operation)
    token.cancelWithoutInvalidating()
    applied.resolve()
    #expect(calls.count == 1)
  }

  @Test("4.1 4.10 what an observer is suppressed for, it passes on")
  func observersPassOn() {
    let value = Promise<Int, Flaw>(fulfilled: 3)
    let error = Promise<Int, Flaw>(rejected: "e")
    let executor = ManualContext()
    let context = executor.context
    let results = [
      value.then(on: context, token: token) { _ in }, error.catch(on: context, token: token) { _ in },
      value.always(on: context, token: token) { _ in }, error.always(on: context, token: token) { _ in },
    ]
    token.invalidate()
    executor.runAll()
    #expect(results.map(\.result) == [.value(3), .error("e"), .value(3), .error("e")])
  }

  @Test("4.1 a result that a transform's callback is not for passes it, suppressed or not")
  func transformsPassOn() {
    let value = Promise<Int, Flaw>(fulfilled: 3)
    let error = Promise<Int, Flaw>(rejected: "e")
    token.invalidate()
    #expect(error.map(on: .immediate, token: token) { $0 }.result == .error("e"))
    #expect(error.flatMap(on: .immediate, token: token) { Promise(fulfilled: $0) }.result == .error("e"))
    #expect(value.mapError(on: .immediate, token: token) { $0 }.result == .value(3))
    #expect(value.recover(on: .immediate, token: token) { _ in 4 }.result?.value == 3)
    #expect(value.flatMapError(on: .immediate, token: token) { Promise(rejected: $0) }.result == .value(3))
  }

  @Test("2.6 4.1 a suppressed callback is released by the invalidation, though its turn has still to come")
  func releasedAtOnce() {
    let executor = ManualContext()
    let log = Recorder<String>()
    do {
      let object = tracker.make { log.record("released") }
      Promise<Int, Flaw>(fulfilled: 1).then(on: executor.context, token: token) { _ in _ = object }
    }
    token.invalidate()
    log.record("invalidated")
    executor.runNext()
    #expect(log.entries == ["released", "invalidated"])
  }
}
