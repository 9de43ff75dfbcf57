internal import Overmorrow

extension Promise<Void, any Error> {
  /// Returns a promise that is fulfilled after a delay, or at once if the delay is not positive.
  ///
  /// In a separate file, because the compiler does not open an `any Clock` where Foundation is imported.
  static func wait(_ delay: Duration, on clock: any Clock<Duration>) -> Promise {
    delay > .zero ? Promise(on: .immediate, fulfilled: (), after: delay, clock: clock) : Promise(fulfilled: ())
  }
}
