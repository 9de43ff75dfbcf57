#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// The time that a newcomer gives the callback in front of it to finish.
///
/// A newcomer may run as soon as everybody before it has been started. But a callback that has been started on another thread
/// may not have come to its first statement yet. So the newcomer waits a little, and in practice the callbacks of one promise
/// run one after the other. Nothing depends on it: the wait is bounded, also if the other thread is not running at all.
enum Moment {
  /// How long it is at most, unless the system lets another thread go first.
  private static var length: Duration {
    #if EXPLORING
      .zero
    #else
      .microseconds(50)
    #endif
  }

  /// Waits until something holds, or the moment is over.
  static func pass(unless isOver: () -> Bool) {
    let start = ContinuousClock.now
    while !isOver(), ContinuousClock.now - start < length { sched_yield() }
  }
}
