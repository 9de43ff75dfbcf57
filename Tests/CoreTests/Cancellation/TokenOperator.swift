import Overmorrow

/// An operator with a `token:` argument, and an ending for which its callback runs.
struct TokenOperator: Sendable, CustomStringConvertible {
  typealias Subject = Promise<Int, Reason>
  /// The operator's promise, and a closure that resolves the source with that ending.
  typealias Applied = (resolve: @Sendable () -> Void, child: AnyChild)

  let description: String
  private let ending: Ending
  /// Whether suppressing the callback cancels the promise, because the value of the callback is missing. An operator
  /// whose callback does not determine the result passes the result on instead.
  let isCancelledBySuppression: Bool
  private let attach:
    @Sendable (Subject, PromiseContext, PromiseInvalidationToken, @escaping @Sendable () -> Void) -> AnyChild

  /// Applies the operator. The callback retains the object and counts its calls.
  func apply(
    _ context: PromiseContext, _ token: PromiseInvalidationToken, _ object: Tracker.Tracked, _ calls: Counter
  ) -> Applied {
    let (promise, resolver) = Subject.makeWithResolver()
    let child = attach(promise, context, token) { withExtendedLifetime(object) { _ = calls.increment() } }
    return ({ [ending] in resolver.resolve(with: ending.result(1, "e")) }, child)
  }

  static let all =
    TestedOperator.every.flatMap { tested in
      Ending.allCases.filter(tested.runsFor.contains).map { ending in
        let isCancelled = !tested.observes || ending == .cancelled
        return TokenOperator(
          description: "\(tested) on \(ending)", ending: ending, isCancelledBySuppression: isCancelled
        ) { AnyChild(tested($0, on: $1, token: $2, $3)) }
      }
    } + [
      TokenOperator(description: "recover from all errors", ending: .error, isCancelledBySuppression: true) {
        source, context, token, call in
        AnyChild(
          source.recover(on: context, token: token) { _ in
            call()
            return 1
          })
      }
    ]
}
