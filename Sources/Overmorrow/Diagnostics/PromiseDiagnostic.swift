/// Something that is survived, but that its programmer would want to know.
public enum PromiseDiagnostic: Sendable, Hashable {
  /// A promise was resolved with itself, directly or round a cycle. It was cancelled.
  case resolvedWithItself
  /// The last copy of a resolver went away without having resolved its promise. The promise was cancelled.
  case resolverDropped
  /// A value was given that makes no sense. The text names it, and what it counts as.
  case invalidArgument(String)
}

/// Where diagnostics go.
public enum PromiseDiagnostics {
  /// Receives each diagnostic on the thread where it arose; `nil`, the default, ignores them at no cost.
  ///
  /// Keep it short and do not resolve promises in it.
  public static var sink: (@Sendable (PromiseDiagnostic) -> Void)? {
    get { Diagnostics.sink }
    set { Diagnostics.sink = newValue }
  }
}
