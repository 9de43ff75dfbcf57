internal import Overmorrow

extension Promise<Void, any Error> {
  /// A promise that is fulfilled after a while, or at once if there is nothing to wait for.
  ///
  /// In a file of its own: where Foundation is imported, the compiler does not open an `any Clock`.
  static func wait(_ delay: Duration, on clock: any Clock<Duration>) -> Promise {
    delay > .zero ? Promise(on: .immediate, fulfilled: (), after: delay, clock: clock) : Promise(fulfilled: ())
  }
}
