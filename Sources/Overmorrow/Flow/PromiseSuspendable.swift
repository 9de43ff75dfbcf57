/// Work that can be suspended and resumed, such as a download.
///
/// Attach it to a ``PromisePause`` with ``PromisePause/attach(_:until:)``.
///
/// **The methods are called from any thread, one at a time.** A change that is made during a call is passed on
/// afterwards, so that the last call gives the current state. After the promise has resolved, no call begins, except
/// one that another thread is making at that moment.
public protocol PromiseSuspendable: Sendable {
  /// Suspends the work. Called only while the work is not suspended.
  func suspend()

  /// Resumes the work. Called only while the work is suspended.
  func resume()
}
