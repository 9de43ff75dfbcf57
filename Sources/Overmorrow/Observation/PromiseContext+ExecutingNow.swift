internal import OvermorrowEngine

extension PromiseContext {
  /// Whether the calling code runs in a ``nowOr(_:)`` callback, inside the call that registered the callback.
  ///
  /// Also `true` in ``immediate`` work that runs inside such a `nowOr` callback. `false` everywhere else.
  public static var isExecutingNow: Bool { Pass.isExecutingNow }
}
