extension Actor {
  /// Calls a closure on this actor, where the caller is by now.
  @inlinable
  nonisolated func callHere<Output: Sendable, E: Error>(
    _ body: @Sendable (isolated Self) throws(E) -> Output
  ) throws(E) -> Output {
    try assumeIsolated { actor in Result { () throws(E) in try body(actor) } }.get()
  }
}
