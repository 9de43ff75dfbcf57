/// User code that runs at most once, and is released where it ran.
///
/// The code that hands the work over keeps only this object, and the first call takes the work out. An executor that
/// runs it twice does no harm.
final class OneShot: Sendable {
  private let work: Guarded<(@Sendable () -> Void)?>

  init(_ work: @escaping @Sendable () -> Void) { self.work = Guarded(work) }

  /// Runs the work on a context; inside this call for `.immediate` and `.nowOr`.
  ///
  /// - Parameter following: Runs after the work, on the same context.
  func run(on context: PromiseContext, before following: (@Sendable () -> Void)? = nil) {
    Pass.perform(on: context) {
      self.run()
      following?()
    }
  }

  /// Runs the work; a second call does nothing.
  private func run() { work.withLock { $0.take() }?() }
}
