extension PromiseContext {
  /// Whether the caller runs in a ``nowOr(_:)`` callback that the registering call has called synchronously.
  ///
  /// Also `true` in ``immediate`` work that is nested synchronously in such a callback. `false` everywhere else.
  public static var isExecutingNow: Bool { Pass.isExecutingNow }
}
