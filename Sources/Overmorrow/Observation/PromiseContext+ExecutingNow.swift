extension PromiseContext {
  /// Whether this code runs in a ``nowOr(_:)`` callback that is called synchronously, inside the call that registered
  /// it.
  ///
  /// Also `true` in ``immediate`` work that is nested synchronously in such a callback. `false` everywhere else.
  public static var isExecutingNow: Bool { Pass.isExecutingNow }
}
