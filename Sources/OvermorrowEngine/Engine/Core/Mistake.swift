/// A mistake in the use of promises that the engine finds.
package enum Mistake: Sendable {
  /// A promise was resolved with itself, or waited for itself through others.
  case resolvedWithItself
  /// The last copy of a resolver was released before its promise was resolved.
  case resolverDropped
  /// A resolver contradicted its first result.
  case resolvedTwice(isRejection: Bool)

  /// A function that reports mistakes. This type is a structure, because generic code, such as that of a lock, would
  /// wrap a function once more each time that the function is read.
  struct Reporter: Sendable {
    let report: @Sendable (_ mistake: Mistake, _ origin: String?) -> Void
  }

  private static let reporter = Guarded<Reporter?>(nil)

  /// Sets the function that reports mistakes. The diagnostics set it before the first promise is watched.
  package static func setReporter(_ report: @escaping @Sendable (_ mistake: Mistake, _ origin: String?) -> Void) {
    let reporter = Reporter(report: report)
    Mistake.reporter.withLock { $0 = reporter }
  }

  /// Reports the mistake.
  ///
  /// - Parameter origin: The place where the promise or the first promise of its chain was made, and its name; `nil` if
  ///   neither is known.
  func report(origin: String?) { Mistake.reporter.withLock { $0 }?.report(self, origin) }
}
