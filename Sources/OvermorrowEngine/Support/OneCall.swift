/// A call that is made at most once. If this object is released before the call, its end makes another call instead.
package final class OneCall: Sendable {
  private let isMade: OnceFlag
  private let call: @Sendable () -> Void
  private let missed: @Sendable () -> Void

  /// - Parameters:
  ///   - flag: A flag that several calls may share. If several calls share a flag, only one of these calls is made.
  ///   - missed: The call to make if this object is released before `call` is made. It must not retain this object.
  package init(
    sharing flag: OnceFlag = OnceFlag(), _ call: @escaping @Sendable () -> Void,
    ifDropped missed: @escaping @Sendable () -> Void
  ) {
    isMade = flag
    self.call = call
    self.missed = missed
  }

  /// Creates a call that is made, at the latest, when this object is released.
  package convenience init(atLatest call: @escaping @Sendable () -> Void) { self.init(call, ifDropped: call) }

  package func callAsFunction() {
    if isMade.take() { call() }
  }

  deinit {
    if isMade.take() { missed() }
  }
}
