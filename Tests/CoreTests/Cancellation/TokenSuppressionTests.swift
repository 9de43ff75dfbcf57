import Overmorrow
import OvermorrowTesting
import Testing

/// The effect of an invalidation on every operator that takes a token.
@Suite(.inTurn) struct TokenSuppressionTests {
  private let token = PromiseInvalidationToken()
  private let tracker = Tracker()
  private let calls = Counter()

  private func apply(_ operation: TokenOperator, on context: PromiseContext = .immediate) -> TokenOperator.Applied {
    operation.apply(context, token, tracker.make(), calls)
  }

  /// Checks the state after the callback has been suppressed.
  private func expectSuppressed(_ operation: TokenOperator, _ applied: TokenOperator.Applied) {
    #expect(calls.count == 0)
    #expect(tracker.count == 0)
    #expect(applied.child.isResolved)
    #expect(applied.child.isCancelled == operation.isCancelledBySuppression)
  }

  @Test("2.6 4.1 without an invalidation, the callback runs once and is not retained", arguments: TokenOperator.all)
  func runs(of operation: TokenOperator) {
    let applied = apply(operation)
    #expect(tracker.count == 1)
    applied.resolve()
    #expect(calls.count == 1)
    #expect(tracker.count == 0)
    #expect(applied.child.isResolved)
    token.invalidate()
  }

  @Test(
    "2.6 4.1 4.2 4.10 an invalidation before the result releases the callback, and observers pass the result on",
    arguments: TokenOperator.all)
  func beforeResult(of operation: TokenOperator) {
    let applied = apply(operation)
    let other = apply(operation)
    token.cancelWithoutInvalidating()
    #expect(tracker.count == 2)
    token.invalidate()
    #expect(tracker.count == 0)
    #expect(!applied.child.isResolved)
    applied.resolve()
    other.resolve()
    expectSuppressed(operation, applied)
  }

  @Test(
    "2.6 4.1 4.10 an invalidation releases a submitted callback, and observers pass the result on",
    arguments: TokenOperator.all)
  func onContext(of operation: TokenOperator) {
    let executor = ManualContext()
    let applied = apply(operation, on: executor.context)
    applied.resolve()
    #expect(executor.count == 1)
    #expect(tracker.count == 1)
    token.invalidate()
    #expect(tracker.count == 0)
    executor.runAll()
    expectSuppressed(operation, applied)
  }

  @Test(
    "4.1 4.2 a callback registered after an invalidation, or before cancelWithoutInvalidating, runs",
    arguments: TokenOperator.all, [true, false])
  func notSuppressed(of operation: TokenOperator, isInvalidatedBefore: Bool) {
    if isInvalidatedBefore { token.invalidate() }
    let applied = apply(operation)
    if !isInvalidatedBefore { token.cancelWithoutInvalidating() }
    applied.resolve()
    #expect(calls.count == 1)
  }
}
