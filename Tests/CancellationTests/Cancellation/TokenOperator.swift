import Overmorrow

/// An operator with a `token:`, and an ending for which its callback runs.
struct TokenOperator: Sendable, CustomStringConvertible {
  typealias Subject = Promise<Int, Reason>
  /// The operator applied to an unresolved promise, and what gives that the ending.
  typealias Applied = (resolve: @Sendable () -> Void, child: AnyChild)

  let description: String
  private let ending: Ending
  /// Whether the promise is cancelled when the callback is suppressed, as what the callback would have given is missing; if
  /// the callback has no part in the result, that is passed on.
  let isCancelledBySuppression: Bool
  private let attach:
    @Sendable (Subject, PromiseContext, PromiseInvalidationToken, @escaping @Sendable () -> Void) -> AnyChild

  /// The callback keeps the object, and counts how often it runs.
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
