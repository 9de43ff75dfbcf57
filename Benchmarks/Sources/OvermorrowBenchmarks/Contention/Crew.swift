import Foundation

/// A group of threads that execute the same operation at the same time.
struct Crew {
  let threads: Int
  let operations: Int

  /// The cost of an operation, in nanoseconds.
  struct Cost {
    /// The time for which an operation occupies a core, or prevents waiting threads from using it.
    let elapsed: Double
    /// The processor time of an operation.
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
