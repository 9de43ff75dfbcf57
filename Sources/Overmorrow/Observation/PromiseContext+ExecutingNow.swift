extension PromiseContext {
  /// Whether the calling code is inside a ``nowOr(_:)`` callback that runs synchronously, inside the call that
  /// registered it.
  ///
  /// Also `true` inside ``immediate`` work nested synchronously in such a callback; `false` everywhere else.
  public static var isExecutingNow: Bool { Pass.isExecutingNow }
}
