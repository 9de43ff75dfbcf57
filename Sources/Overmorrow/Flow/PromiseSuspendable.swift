/// Work that can be stopped for a while, such as a download.
///
/// Give it to a ``PromisePause`` by ``PromisePause/attach(_:until:)``.
///
/// **It is told from any thread, but by one at a time.** A change that comes while it is told of another one is told
/// afterwards, so that in the end it knows what is true. None is told after its promise has resolved, but for one that
/// has begun before.
public protocol PromiseSuspendable: Sendable {
  /// Stops the work for a while. Called while it is not suspended.
  func suspend()

  /// Goes on with the work. Called while it is suspended.
  func resume()
}
