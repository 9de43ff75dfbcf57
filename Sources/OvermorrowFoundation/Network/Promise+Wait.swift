internal import Overmorrow

extension Promise<Void, any Error> {
  /// Returns a promise that is fulfilled after a delay. If the delay is not positive, the promise is already fulfilled.
  ///
  /// This function has a separate file, because the compiler does not open an `any Clock` where Foundation is imported.
  static func wait(_ delay: Duration, on clock: any Clock<Duration>) -> Promise {
    delay > .zero ? Promise(on: .immediate, fulfilled: (), after: delay, clock: clock) : Promise(fulfilled: ())
  }
}
