internal import Overmorrow

extension Promise {
  /// Returns a promise for the values of all promises, in the order of the promises. If `settled` is `false`, the first
  /// error rejects the promise returned.
  ///
  /// Suspending, resuming or cancelling the promise returned also suspends, resumes or cancels the chains of all
  /// inputs.
  ///
  /// - Parameters:
  ///   - settled: Whether to wait for all promises even if some are rejected. If `settled` is `true`, the array
  ///     contains each error that `T` can hold, in place of the missing value. Other errors are left out. `Any` can
  ///     hold every error.
  ///   - promises: The promises to wait for. If there are no promises, the promise returned is fulfilled with an empty
  ///     array.
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

  /// Returns a promise for the values of all promises, in the order of the promises. If `settled` is `false`, the first
  /// error rejects the promise returned.
  ///
  /// Suspending, resuming or cancelling the promise returned also suspends, resumes or cancels the chains of all
  /// inputs.
  ///
  /// - Parameters:
  ///   - settled: Whether to wait for all promises even if some are rejected. If `settled` is `true`, the array
  ///     contains each error that `T` can hold, in place of the missing value. Other errors are left out. `Any` can
  ///     hold every error.
  ///   - promises: The promises to wait for. If there are no promises, the promise returned is fulfilled with an empty
  ///     array.
  public static func all(settled: Bool = false, _ promises: Promise<T>...) -> Promise<[T]> {
    all(settled: settled, promises)
  }

  /// Returns a promise for the first result, whether a value or an error.
  ///
  /// Suspending, resuming or cancelling the promise returned also suspends, resumes or cancels the chains of all
  /// inputs.
  ///
  /// - Parameter promises: The promises to wait for. If there are no promises, the promise returned is rejected with
  ///   ``PromiseError/empty``.
  public static func race(_ promises: [Promise<T>]) -> Promise<T> {
    gathered(promises) { $0.isEmpty ? Core(rejected: PromiseError.empty) : when(first: $0) }
  }

  /// Returns a promise for the first result, whether a value or an error.
  ///
  /// Suspending, resuming or cancelling the promise returned also suspends, resumes or cancels the chains of all
  /// inputs.
  ///
  /// - Parameter promises: The promises to wait for. If there are no promises, the promise returned is rejected with
  ///   ``PromiseError/empty``.
  public static func race(_ promises: Promise<T>...) -> Promise<T> { race(promises) }

  /// Returns a promise for the first value. If all promises are rejected, the promise returned is rejected with
  /// ``PromiseError/aggregate(_:)``. The errors in `aggregate` are in the order of the promises.
  ///
  /// Suspending, resuming or cancelling the promise returned also suspends, resumes or cancels the chains of all
  /// inputs.
  ///
  /// - Parameter promises: The promises to wait for. If there are no promises, the promise returned is rejected with
  ///   ``PromiseError/empty``.
  public static func any(_ promises: [Promise<T>]) -> Promise<T> {
    gathered(promises) { cores in
      when(firstFulfilled: cores).mapError(on: .immediate) { error -> any Error in
        error.isEmpty ? PromiseError.empty : PromiseError.aggregate(error.errors)
      }
    }
  }

  /// Returns a promise for the first value. If all promises are rejected, the promise returned is rejected with
  /// ``PromiseError/aggregate(_:)``. The errors in `aggregate` are in the order of the promises.
  ///
  /// Suspending, resuming or cancelling the promise returned also suspends, resumes or cancels the chains of all
  /// inputs.
  ///
  /// - Parameter promises: The promises to wait for. If there are no promises, the promise returned is rejected with
  ///   ``PromiseError/empty``.
  public static func any(_ promises: Promise<T>...) -> Promise<T> { any(promises) }

  /// Returns the array element for a result. The element is the value, or the error if `T` can hold the error;
  /// otherwise `nil`.
  private static func element(_ result: PromiseResult<Kept<T>, any Error>) -> T? {
    result.value.map(\.value) ?? result.error.flatMap { $0 as? T }
  }
}
