import Foundation

/// How long the threads of the program have run, in nanoseconds: what else the machine does while they wait is not in it.
enum ProcessorTime {
  static var now: Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
  }

  static func measure(_ body: () -> Void) -> Double {
    let start = now
    body()
    return now - start
  }
}
