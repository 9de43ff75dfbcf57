internal import Foundation

/// Whether the tests run under a sanitizer, which slows everything down by an order of magnitude.
package let isSanitized = ["__tsan_init", "__asan_init"].contains { (name: String) in unsafe dlsym(nil, name) != nil }

/// The share of the work of heavy tests and races that is done: 1, or the variable `OVERMORROW_WORK` in percent.
package let work = ProcessInfo.processInfo.environment["OVERMORROW_WORK"].flatMap(Double.init).map { $0 / 100 } ?? 1

/// Scales the number of links or children in a test. Only the release suite uses all of them, so only it proves the
/// numbers in the names of the tests.
///
/// A debug build, which is many times slower, uses at most 20,000. Of this number, the share ``work`` is used, but at
/// least 4,000: still enough to overflow a stack of 512 KiB if each leaves a frame on it. Under a sanitizer, which looks
/// for other faults, the number is divided by 20, and is at most 5,000, whatever the share is.
package func scaled(_ count: Int) -> Int {
  if isSanitized { return min(count / 20, 5_000) }
  #if DEBUG
    let count = min(count, 20_000)
  #endif
  return max(Int(Double(count) * work), min(count, 4_000))
}

/// The resident memory of this process in bytes; `nil` where it is unknown or meaningless.
package func residentBytes() -> Int? {
  // A sanitizer's bookkeeping grows with every access.
  if isSanitized { return nil }
  guard let statm = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return nil }
  let fields = statm.split(separator: " ")
  guard fields.count > 1, let pages = Int(fields[1]) else { return nil }
  return pages * Int(getpagesize())
}

/// The processor time that the calling thread has used. In contrast to elapsed time, it does not grow while other
/// threads have the processors.
package func processorTimeOfThread() -> Duration {
  var time = timespec()
  unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
}
