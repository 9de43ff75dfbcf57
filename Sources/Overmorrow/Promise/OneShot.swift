internal import OvermorrowEngine

/// User code (the work) that runs at most once, and is released where it ran.
///
/// The code that submits the work keeps only this object, and the first call takes the work out. So if an executor
/// calls this object twice, the second call does nothing.
final class OneShot: Sendable {
  // Not a generic `TakeOnce`: the metadata of its types would cost 2,800 more instructions for each body.
  private let work: Guarded<(@Sendable () -> Void)?>

  init(_ work: @escaping @Sendable () -> Void) { self.work = Guarded(work) }

  /// Runs the work on a context. On `.immediate` and `.nowOr`, it runs inside this call.
  ///
  /// - Parameter following: A closure that runs after the work, on the same context.
  func run(on context: PromiseContext, before following: (@Sendable () -> Void)? = nil) {
    Pass.perform(on: context) {
      self.run()
      following?()
    }
  }

  /// Runs the work. A second call does nothing.
  private func run() { work.withLock { $0.take() }?() }
}
