internal import OvermorrowDiagnostics

extension PromiseDiagnostics {
  /// The longest time for which a callback of a watched promise may keep the main queue without being reported; 250
  /// milliseconds by default. If the limit is `nil`, no callback is reported.
  ///
  /// The limit of a callback on a serial queue is eight times this limit. Each such callback is reported once, normally
  /// while it still runs, as ``PromiseDiagnostic/longCallback(origin:step:queue:duration:)``. A body counts as a
  /// callback. Callbacks on concurrent queues, on actors other than the main actor and on executors are not reported.
  ///
  /// The time in which the program is stopped or the system sleeps does not count. If a callback runs inside another
  /// one, and both are too long only together, the outer one is reported.
  ///
  /// A limit below 1 millisecond counts as 1 millisecond, and a limit above 1000 seconds as 1000 seconds.
  ///
  /// ```swift
  /// PromiseDiagnostics.stallLimit = .milliseconds(100)
  /// ```
  public static var stallLimit: Duration? {
    get { StallWatch.limit }
    set {
      StallWatch.limit = newValue.map {
        Diagnostics.replace($0, by: min(max($0, .milliseconds(1)), .seconds(1000)), "PromiseDiagnostics.stallLimit")
      }
    }
  }
}
