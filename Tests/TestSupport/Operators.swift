package import Overmorrow

/// An operator as a value, so that one test can cover all of them.
package struct TestedOperator: Sendable, CustomStringConvertible {
  package typealias Subject = Promise<Int, Reason>

  package let name: String
  /// The endings for which the callback runs.
  package let runsFor: Set<Ending>
  /// Whether it returns its receiver.
  package var returnsReceiver = false
  /// Whether it passes the result on unchanged, whatever its callback returns.
  package var observes = false
  /// Registers a callback that runs `body` and then returns its argument.
  package let attach:
    @Sendable (
      _ source: Subject, _ context: PromiseContext, _ token: PromiseInvalidationToken?,
      _ body: @escaping @Sendable () -> Void
    ) -> Subject

  package var description: String { name }

  @discardableResult
  package func callAsFunction(
    _ source: Subject, on context: PromiseContext, token: PromiseInvalidationToken? = nil,
    _ body: @escaping @Sendable () -> Void
  ) -> Subject {
    attach(source, context, token, body)
  }
}

extension TestedOperator {
  /// The forms with callbacks that cannot throw, and the throwing forms.
  package static var every: [TestedOperator] { plain + throwing }

  /// The forms with callbacks that cannot throw.
  private static var plain: [TestedOperator] {
    [
      TestedOperator(name: "then", runsFor: [.value], observes: true) { $0.then(on: $1, token: $2, body($3)) },
      TestedOperator(name: "map", runsFor: [.value]) { $0.map(on: $1, token: $2, after($3) { $0 }) },
      TestedOperator(name: "flatMap", runsFor: [.value]) {
        $0.flatMap(on: $1, token: $2, after($3) { Promise(fulfilled: $0) })
      },
      TestedOperator(name: "mapError", runsFor: [.error]) { $0.mapError(on: $1, token: $2, after($3) { $0 }) },
      TestedOperator(name: "flatMapError", runsFor: [.error]) {
        $0.flatMapError(on: $1, token: $2, after($3) { Promise(rejected: $0) })
      },
      TestedOperator(name: "mapResult", runsFor: .all) { $0.mapResult(on: $1, token: $2, after($3) { $0 }) },
      TestedOperator(name: "flatMapResult", runsFor: .all) {
        $0.flatMapResult(on: $1, token: $2, after($3) { Promise(with: $0) })
      },
    ] + observers
  }

  /// The forms with callbacks that may throw.
  private static var throwing: [TestedOperator] {
    [
      TestedOperator(name: "throwing then", runsFor: [.value], observes: true) {
        $0.then(on: $1, token: $2, trying($3) { _ in })
      },
      TestedOperator(name: "throwing map", runsFor: [.value]) { $0.map(on: $1, token: $2, trying($3) { $0 }) },
      TestedOperator(name: "throwing flatMap", runsFor: [.value]) {
        $0.flatMap(on: $1, token: $2, trying($3) { Promise(fulfilled: $0) })
      },
      TestedOperator(name: "recover", runsFor: [.error]) {
        $0.recover(on: $1, token: $2, trying($3) { error throws(Reason) in throw error })
      },
    ]
  }

  /// The operators that pass on every result unchanged.
  private static var observers: [TestedOperator] {
    [
      TestedOperator(name: "catch", runsFor: [.error], observes: true) { $0.catch(on: $1, token: $2, body($3)) },
      TestedOperator(name: "always", runsFor: .all, observes: true) { $0.always(on: $1, token: $2, body($3)) },
      TestedOperator(name: "tap", runsFor: .all, returnsReceiver: true, observes: true) {
        $0.tap(on: $1, token: $2, body($3))
      },
      TestedOperator(name: "onCancel", runsFor: [.cancelled], observes: true) { $0.onCancel(on: $1, token: $2, $3) },
    ]
  }
}

extension Set<Ending> {
  fileprivate static var all: Set { Set(Ending.allCases) }
}

private func body<T>(_ body: @escaping @Sendable () -> Void) -> @Sendable (T) -> Void {
  { _ in body() }
}

/// Returns a callback that runs a body and then answers its argument.
private func after<T, R>(
  _ body: @escaping @Sendable () -> Void, _ answer: @escaping @Sendable (T) -> R
) -> @Sendable (T) -> R {
  {
    body()
    return answer($0)
  }
}

/// Like `after`, but the callback may throw.
private func trying<T, R>(
  _ body: @escaping @Sendable () -> Void, _ answer: @escaping @Sendable (T) throws(Reason) -> R
) -> @Sendable (T) throws(Reason) -> R {
  { value throws(Reason) in
    body()
    return try answer(value)
  }
}
