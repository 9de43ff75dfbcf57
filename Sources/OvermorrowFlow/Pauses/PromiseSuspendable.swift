/// Work that can be suspended and resumed, such as a download.
///
/// Attach such work to a ``PromisePause`` with ``PromisePause/attach(_:until:)``. A pause never cancels the work.
/// `onRequestCancel(on:_:)` of the resolver forwards requests to cancel to the work.
///
/// **The methods are called from any thread, one at a time.** If the pause is suspended or resumed during a call,
/// another call follows, so that the last call matches the current state of the pause. After the promise that was
/// passed to `attach` has resolved, no call begins. A call that another thread is making when that promise resolves may
/// still run.
public protocol PromiseSuspendable: Sendable {
  /// Suspends the work. Called only while the work is not suspended.
  func suspend()

  /// Resumes the work. Called only while the work is suspended.
  func resume()
}
