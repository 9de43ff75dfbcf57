internal import Overmorrow
internal import OvermorrowDiagnostics
internal import OvermorrowEngine

extension Promise<Void, any Error> {
  /// Returns a promise that is fulfilled after a delay. If the delay is not positive, the promise is already fulfilled.
  ///
  /// This function has a separate file, because the compiler does not open an `any Clock` where Foundation is imported.
  static func wait(_ delay: Duration, on clock: any Clock<Duration>) -> Promise {
    delay > .zero
      ? Promise(on: .immediate, with: .value(()), after: delay, clock: clock, at: .library, by: .timer)
      : Promise(with: .value(()), site: .library)
  }
}
