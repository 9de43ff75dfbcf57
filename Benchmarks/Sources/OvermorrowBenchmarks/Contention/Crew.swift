import Foundation

/// Threads that do the same at the same time.
struct Crew {
  let threads: Int
  let operations: Int

  /// What an operation costs, in nanoseconds.
  struct Cost {
    /// For how long it occupies a core, or keeps it from others that wait.
    let elapsed: Double
    /// For how long a processor works for it.
    let processor: Double
  }

  func cost(of contender: Contender) -> Cost {
    let work = contender.prepare()
    let each = operations / threads
    let counters = (0..<threads).map { _ in Counter() }
    let (isReady, start, isDone) = (
      DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
    )
    for counter in counters {
      Thread.detachNewThread {
        isReady.signal()
        start.wait()
        work.run(counter, each)
        isDone.signal()
      }
    }
    for _ in counters { isReady.wait() }
    let clock = ContinuousClock()
    let processor = ProcessorTime.now
    let together = clock.measure {
      for _ in counters { start.signal() }
      for _ in counters { isDone.wait() }
    }
    let alone = clock.measure { work.finish() }
    let worked = ProcessorTime.now - processor
    expect(counters.allSatisfy { $0.value == each }, contender.name)
    let cores = min(threads, ProcessInfo.processInfo.activeProcessorCount)
    let done = Double(each * threads)
    return Cost(
      elapsed: (together / .nanoseconds(1) * Double(cores) + alone / .nanoseconds(1)) / done, processor: worked / done)
  }
}
