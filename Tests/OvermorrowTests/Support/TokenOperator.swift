import Overmorrow

/// An operator with a `token:`, on a promise whose result makes its callback run.
struct TokenOperator: Sendable, CustomStringConvertible {
  /// What becomes of the promise when the callback is suppressed.
  enum Suppressed: Sendable {
    /// The result is passed on, as the callback has no part in it.
    case passesOn
    /// What the callback would have given is missing.
    case cancels
  }

  /// The operator applied to the unresolved promise of a probe.
  struct Applied: Sendable {
    /// Resolves the promise such that the callback is to run.
    let resolve: @Sendable () -> Void
    let child: AnyChild
  }

  let description: String
  let suppressed: Suppressed
  /// The callback keeps the object, and counts how often it runs.
  let apply: @Sendable (PromiseContext, PromiseInvalidationToken, Tracker.Tracked, Counter) -> Applied

  private typealias Operate<Failure: Sendable, U: Sendable, E: Sendable> =
    @Sendable (Promise<Int, Failure>, PromiseContext, PromiseInvalidationToken, @escaping @Sendable () -> Void) ->
    Promise<U, E>

  private init<Failure: Sendable, U, E>(
    _ name: String, on result: PromiseResult<Int, Failure>, _ suppressed: Suppressed,
    _ operate: @escaping Operate<Failure, U, E>
  ) {
    description = name
    self.suppressed = suppressed
    apply = { context, token, object, calls in
      let (promise, resolver) = Promise<Int, Failure>.makeWithResolver()
      let child = operate(promise, context, token) {
        withExtendedLifetime(object) { _ = calls.increment() }
      }
      return Applied(resolve: { resolver.resolve(with: result) }, child: AnyChild(child))
    }
  }

  static let all = observers + ofValues + ofErrors + ofResults + throwing

  private static let observers = [
    TokenOperator("then", on: .value(1), .passesOn) { (promise: Promise<Int, Flaw>, context, token, call) in
      promise.then(on: context, token: token) { _ in call() }
    },
    TokenOperator("catch", on: .error("e"), .passesOn) { (promise: Promise<Int, Flaw>, context, token, call) in
      promise.catch(on: context, token: token) { _ in call() }
    },
    TokenOperator("always", on: .cancelled, .passesOn) { (promise: Promise<Int, Flaw>, context, token, call) in
      promise.always(on: context, token: token) { _ in call() }
    },
    TokenOperator("tap", on: .value(1), .passesOn) { (promise: Promise<Int, Flaw>, context, token, call) in
      promise.tap(on: context, token: token) { _ in call() }
    },
    TokenOperator("onCancel", on: .cancelled, .passesOn) { (promise: Promise<Int, Flaw>, context, token, call) in
      promise.onCancel(on: context, token: token) { call() }
    },
  ]

  private static let ofValues = [
    TokenOperator("map", on: .value(1), .cancels) { (promise: Promise<Int, Flaw>, context, token, call) in
      promise.map(on: context, token: token) { _ in call() }
    },
    TokenOperator("flatMap", on: .value(1), .cancels) { (promise: Promise<Int, Flaw>, context, token, call) in
      promise.flatMap(on: context, token: token) { value in
        call()
        return Promise<Int, Flaw>(fulfilled: value)
      }
    },
  ]

  private static let ofErrors = [
    TokenOperator("mapError", on: .error("e"), .cancels) { (promise: Promise<Int, Flaw>, context, token, call) in
      promise.mapError(on: context, token: token) { _ in call() }
    },
    TokenOperator("flatMapError", on: .error("e"), .cancels) { (promise: Promise<Int, Flaw>, context, token, call) in
      promise.flatMapError(on: context, token: token) { _ in
        call()
        return Promise<Int, Bool>(fulfilled: 1)
      }
    },
    TokenOperator("recover", on: .error("e"), .cancels) { (promise: Promise<Int, Flaw>, context, token, call) in
      promise.recover(on: context, token: token) { _ in
        call()
        return 1
      }
    },
  ]

  private static let ofResults = [
    TokenOperator("mapResult", on: .value(1), .cancels) { (promise: Promise<Int, Flaw>, context, token, call) in
      promise.mapResult(on: context, token: token) { result in
        call()
        return result
      }
    },
    TokenOperator("flatMapResult", on: .value(1), .cancels) { (promise: Promise<Int, Flaw>, context, token, call) in
      promise.flatMapResult(on: context, token: token) { result in
        call()
        return Promise(with: result)
      }
    },
  ]

  private static let throwing = [
    TokenOperator("throwing then", on: .value(1), .passesOn) {
      (promise: Promise<Int, any Error>, context, token, call) in
      promise.then(on: context, token: token) { _ throws in call() }
    },
    TokenOperator("throwing map", on: .value(1), .cancels) { (promise: Promise<Int, any Error>, context, token, call) in
      promise.map(on: context, token: token) { _ throws in call() }
    },
    TokenOperator("throwing flatMap", on: .value(1), .cancels) {
      (promise: Promise<Int, any Error>, context, token, call) in
      promise.flatMap(on: context, token: token) { value throws in
        call()
        return Promise<Int, any Error>(fulfilled: value)
      }
    },
    TokenOperator("throwing recover", on: .error(ProbeError.failed), .cancels) {
      (promise: Promise<Int, any Error>, context, token, call) in
      promise.recover(on: context, token: token) { _ throws(any Error) -> Int in
        call()
        return 1
      }
    },
  ]
}
