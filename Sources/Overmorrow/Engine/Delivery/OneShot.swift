/// Work of the user's that runs at most once, and is released where it ran.
///
/// Whoever hands it over keeps only this; the work leaves with the first call. An executor that runs twice what it was
/// given does no harm.
final class OneShot: Sendable {
  private let work: Guarded<(@Sendable () -> Void)?>

  init(_ work: @escaping @Sendable () -> Void) { self.work = Guarded(work) }

  /// Runs the work on a context, right here for `.immediate` and `.nowOr`.
  ///
  /// - Parameter following: Runs right after the work, in the same place.
  func run(on context: PromiseContext, before following: (@Sendable () -> Void)? = nil) {
    Pass.perform(on: context) {
      self.run()
      following?()
    }
  }

  /// Runs the work; a second call does nothing.
  private func run() { work.withLock { $0.take() }?() }
}
