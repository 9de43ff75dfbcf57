internal import Overmorrow

extension Promise {
  /// A promise for all the values, in order; rejected with the first error.
  ///
  /// Suspending, resuming and cancelling it does the same to the chains of all of them.
  ///
  /// - Parameters:
  ///   - settled: Whether to wait for all of them whatever the results. Errors are among the values then, where `T` can
  ///     hold them, as `Any` does.
  ///   - promises: What to wait for. For none, the promise is fulfilled with an empty array.
  public static func all(settled: Bool = false, _ promises: [Promise<T>]) -> Promise<[T]> {
    guard settled else {
      return Promise<[T]>.gathered(promises) { cores in
        when(fulfilled: cores).map(on: .immediate) { values in Kept(values.map(\.value)) }
      }
    }
    return Promise<[T]>.gathered(promises) { cores in
      when(settled: cores).mapResult(on: .immediate) { .value(Kept(($0.value ?? []).compactMap(Self.element))) }
    }
  }

  /// A promise for all the values, in order; rejected with the first error.
  ///
  /// Suspending, resuming and cancelling it does the same to the chains of all of them.
  ///
  /// - Parameters:
  ///   - settled: Whether to wait for all of them whatever the results. Errors are among the values then, where `T` can
  ///     hold them, as `Any` does.
  ///   - promises: What to wait for. For none, the promise is fulfilled with an empty array.
  public static func all(settled: Bool = false, _ promises: Promise<T>...) -> Promise<[T]> {
    all(settled: settled, promises)
  }

  /// A promise for the result of the first one to end, be it a value or an error.
  ///
  /// Suspending, resuming and cancelling it does the same to the chains of all of them.
  ///
  /// - Parameter promises: What to wait for. For none, the promise is rejected with ``PromiseError/empty``.
  public static func race(_ promises: [Promise<T>]) -> Promise<T> {
    gathered(promises) { $0.isEmpty ? Core(rejected: PromiseError.empty) : when(first: $0) }
  }

  /// A promise for the result of the first one to end, be it a value or an error.
  ///
  /// Suspending, resuming and cancelling it does the same to the chains of all of them.
  ///
  /// - Parameter promises: What to wait for. For none, the promise is rejected with ``PromiseError/empty``.
  public static func race(_ promises: Promise<T>...) -> Promise<T> { race(promises) }

  /// A promise for the first value; rejected with ``PromiseError/aggregate(_:)``, in the order of the promises, if
  /// there is none.
  ///
  /// Suspending, resuming and cancelling it does the same to the chains of all of them.
  ///
  /// - Parameter promises: What to wait for. For none, the promise is rejected with ``PromiseError/empty``.
  public static func any(_ promises: [Promise<T>]) -> Promise<T> {
    gathered(promises) { cores in
      when(firstFulfilled: cores).mapError(on: .immediate) { error -> any Error in
        error.isEmpty ? PromiseError.empty : PromiseError.aggregate(error.errors)
      }
    }
  }

  /// A promise for the first value; rejected with ``PromiseError/aggregate(_:)``, in the order of the promises, if
  /// there is none.
  ///
  /// Suspending, resuming and cancelling it does the same to the chains of all of them.
  ///
  /// - Parameter promises: What to wait for. For none, the promise is rejected with ``PromiseError/empty``.
  public static func any(_ promises: Promise<T>...) -> Promise<T> { any(promises) }

  /// A result in an array of values.
  private static func element(_ result: PromiseResult<Kept<T>, any Error>) -> T? {
    result.value.map(\.value) ?? result.error.flatMap { $0 as? T }
  }
}
