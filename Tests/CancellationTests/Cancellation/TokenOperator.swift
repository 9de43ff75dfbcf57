import Overmorrow

/// An operator with a `token:`, on a promise whose result makes its callback run.
struct TokenOperator: Sendable, CustomStringConvertible {
  /// The operator applied to an unresolved promise.
  struct Applied: Sendable {
    /// Resolves the promise such that the callback is to run.
    let resolve: @Sendable () -> Void
    let child: AnyChild
  }

  let description: String
  /// Whether the promise passes the result on when the callback is suppressed, as the callback has no part in it;
  /// otherwise the promise is cancelled then, as what the callback would have given is missing.
  let observes: Bool
  /// The callback keeps the object, and counts how often it runs.
  let apply: @Sendable (PromiseContext, PromiseInvalidationToken, Tracker.Tracked, Counter) -> Applied

  private init<Failure: Sendable, U, E>(
    _ name: String, on result: PromiseResult<Int, Failure>, observes: Bool,
    _ operate:
      @escaping @Sendable (
        Promise<Int, Failure>, PromiseContext, PromiseInvalidationToken, @escaping @Sendable () -> Void
      ) -> Promise<U, E>
  ) {
    description = name
    self.observes = observes
    apply = { context, token, object, calls in
      let (promise, resolver) = Promise<Int, Failure>.makeWithResolver()
      let child = operate(promise, context, token) {
        withExtendedLifetime(object) { _ = calls.increment() }
      }
      return Applied(resolve: { resolver.resolve(with: result) }, child: AnyChild(child))
    }
  }

  /// The operator on a promise that ends in each way for which the callback runs.
  private static func on<Failure>(_ error: Failure, _ tested: TestedOperator<Failure>) -> [TokenOperator] {
    Ending.allCases.filter { tested.runsFor.contains($0) }.map { ending in
      TokenOperator("\(tested) on \(ending)", on: ending.result(1, error), observes: tested.observes) {
        tested($0, on: $1, token: $2, $3)
      }
    }
  }

  static let all =
    TestedOperator<Reason>.all.flatMap { on("e", $0) } + TestedOperator<Refusal>.all.flatMap { on(.first, $0) } + [
      TokenOperator("recover from all errors", on: .error("e"), observes: false) {
        (promise: Promise<Int, Flaw>, context, token, call) in
        promise.recover(on: context, token: token) { _ in
          call()
          return 1
        }
      }
    ]
}
