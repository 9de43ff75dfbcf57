internal import Foundation

/// Whether the tests run under a sanitizer, which makes everything an order of magnitude slower.
package let isSanitized = ["__tsan_init", "__asan_init"].contains { (name: String) in unsafe dlsym(nil, name) != nil }

/// A number of links or children: all of them in optimised tests, a fifth in others, which are slower, and a twentieth under
/// a sanitizer, which looks for other faults than size. `.ci/steps/70-test-release` runs all tests optimised, and a test of
/// `StressTests` checks there that this takes nothing off.
package func scaled(_ count: Int) -> Int {
  #if DEBUG
    isSanitized ? count / 20 : count / 5
  #else
    isSanitized ? count / 20 : count
  #endif
}

/// How many bytes of memory this process has in use; `nil` where that cannot be told, or says nothing.
package func residentBytes() -> Int? {
  // A sanitizer's own bookkeeping grows with every access.
  if isSanitized { return nil }
  guard let statm = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return nil }
  let fields = statm.split(separator: " ")
  guard fields.count > 1, let pages = Int(fields[1]) else { return nil }
  return pages * Int(getpagesize())
}
