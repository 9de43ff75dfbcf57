/// A call that is made at most once; if this is dropped without it, another one is made instead.
final class OneCall: Sendable {
  private let isMade: OnceFlag
  private let call: @Sendable () -> Void
  private let missed: @Sendable () -> Void

  /// - Parameters:
  ///   - right: What several calls may share, of which one is made.
  ///   - missed: Made when this is dropped. It must not make a reference to this one.
  init(
    holding right: OnceFlag = OnceFlag(), _ call: @escaping @Sendable () -> Void,
    ifDropped missed: @escaping @Sendable () -> Void
  ) {
    isMade = right
    self.call = call
    self.missed = missed
  }

  /// A call that is made when this is dropped, at the latest.
  convenience init(atLatest call: @escaping @Sendable () -> Void) { self.init(call, ifDropped: call) }

  func callAsFunction() {
    if isMade.take() { call() }
  }

  deinit {
    if isMade.take() { missed() }
  }
}
