extension Tracker {
  /// A callback that keeps a new object as long as it is there; `onDeinit` runs when that goes.
  package func callback<T>(
    _ body: @escaping @Sendable (T) -> Void = { _ in }, onDeinit: @escaping @Sendable () -> Void = {}
  ) -> @Sendable (T) -> Void {
    let object = make(onDeinit: onDeinit)
    return { value in withExtendedLifetime(object) { body(value) } }
  }

  /// The same, for operators whose callback is given nothing.
  package func callback(
    _ body: @escaping @Sendable () -> Void = {}, onDeinit: @escaping @Sendable () -> Void = {}
  ) -> @Sendable () -> Void {
    let object = make(onDeinit: onDeinit)
    return { withExtendedLifetime(object) { body() } }
  }
}
