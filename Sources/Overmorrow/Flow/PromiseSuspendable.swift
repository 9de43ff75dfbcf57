/// Work that can be stopped for a while, such as a download.
///
/// Give it to a ``PromisePause`` by ``PromisePause/attach(_:until:)``.
///
/// **The methods are called from any thread, one at a time.** A change that comes during a call is passed on
/// afterwards, so that the last call gives the present state. No call begins after the promise has resolved.
public protocol PromiseSuspendable: Sendable {
  /// Stops the work for a while. Called while it is not suspended.
  func suspend()

  /// Goes on with the work. Called while it is suspended.
  func resume()
}
