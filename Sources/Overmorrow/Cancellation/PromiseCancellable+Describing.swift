internal import OvermorrowEngine

extension PromiseCancellable: CustomDebugStringConvertible {
  /// Whether the cancellable owns a chain, and the state of its promise if the promise is unresolved.
  public var debugDescription: String {
    "PromiseCancellable(\(isOwner ? "owns its chain, " : "")\(situation ?? "resolved or released"))"
  }
}
