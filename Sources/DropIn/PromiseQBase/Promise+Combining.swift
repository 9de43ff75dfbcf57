internal import Overmorrow

extension Promise {
  /// Returns a promise for the values of all promises, in their order. It is rejected with the first error.
  ///
  /// Suspending, resuming or cancelling it does the same to the chains of all the promises.
  ///
  /// - Parameters:
  ///   - settled: Whether to wait for all promises even if some are rejected. The array then contains each error in
  ///     place of the value, if `T` can hold the error, as `Any` can. Other errors are left out.
  ///   - promises: The promises to wait for. If there are none, the promise is fulfilled with an empty array.
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

  /// Returns a promise for the values of all promises, in their order. It is rejected with the first error.
  ///
  /// Suspending, resuming or cancelling it does the same to the chains of all the promises.
  ///
  /// - Parameters:
  ///   - settled: Whether to wait for all promises even if some are rejected. The array then contains each error in
  ///     place of the value, if `T` can hold the error, as `Any` can. Other errors are left out.
  ///   - promises: The promises to wait for. If there are none, the promise is fulfilled with an empty array.
  public static func all(settled: Bool = false, _ promises: Promise<T>...) -> Promise<[T]> {
    all(settled: settled, promises)
  }

  /// Returns a promise for the first result, whether a value or an error.
  ///
  /// Suspending, resuming or cancelling it does the same to the chains of all the promises.
  ///
  /// - Parameter promises: The promises to wait for. If there are none, the promise is rejected with
  ///   ``PromiseError/empty``.
  public static func race(_ promises: [Promise<T>]) -> Promise<T> {
    gathered(promises) { $0.isEmpty ? Core(rejected: PromiseError.empty) : when(first: $0) }
  }

  /// Returns a promise for the first result, whether a value or an error.
  ///
  /// Suspending, resuming or cancelling it does the same to the chains of all the promises.
  ///
  /// - Parameter promises: The promises to wait for. If there are none, the promise is rejected with
  ///   ``PromiseError/empty``.
  public static func race(_ promises: Promise<T>...) -> Promise<T> { race(promises) }

  /// Returns a promise for the first value. If all promises are rejected, the promise returned is rejected with
  /// ``PromiseError/aggregate(_:)``, whose errors are in the order of the promises.
  ///
  /// Suspending, resuming or cancelling it does the same to the chains of all the promises.
  ///
  /// - Parameter promises: The promises to wait for. If there are none, the promise is rejected with
  ///   ``PromiseError/empty``.
  public static func any(_ promises: [Promise<T>]) -> Promise<T> {
    gathered(promises) { cores in
      when(firstFulfilled: cores).mapError(on: .immediate) { error -> any Error in
        error.isEmpty ? PromiseError.empty : PromiseError.aggregate(error.errors)
      }
    }
  }

  /// Returns a promise for the first value. If all promises are rejected, the promise returned is rejected with
  /// ``PromiseError/aggregate(_:)``, whose errors are in the order of the promises.
  ///
  /// Suspending, resuming or cancelling it does the same to the chains of all the promises.
  ///
  /// - Parameter promises: The promises to wait for. If there are none, the promise is rejected with
  ///   ``PromiseError/empty``.
  public static func any(_ promises: Promise<T>...) -> Promise<T> { any(promises) }

  /// Returns the array element for a result: the value, or the error if `T` can hold it.
  private static func element(_ result: PromiseResult<Kept<T>, any Error>) -> T? {
    result.value.map(\.value) ?? result.error.flatMap { $0 as? T }
  }
}
