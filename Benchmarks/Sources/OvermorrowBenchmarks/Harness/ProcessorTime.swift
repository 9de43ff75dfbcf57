import Foundation

/// The processor time of the program's threads, in nanoseconds. It excludes other load of the machine.
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
