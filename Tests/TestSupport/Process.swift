internal import Foundation

/// Whether the tests run under a sanitizer, which makes everything an order of magnitude slower.
package let isSanitized = ["__tsan_init", "__asan_init"].contains { (name: String) in unsafe dlsym(nil, name) != nil }

/// A number of links or children; a twentieth under a sanitizer, which looks for other faults than size.
package func scaled(_ count: Int) -> Int { isSanitized ? count / 20 : count }

/// How many bytes of memory this process has in use; `nil` where that cannot be told, or says nothing.
package func residentBytes() -> Int? {
  // A sanitizer's own bookkeeping grows with every access.
  if isSanitized { return nil }
  guard let statm = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return nil }
  let fields = statm.split(separator: " ")
  guard fields.count > 1, let pages = Int(fields[1]) else { return nil }
  return pages * Int(getpagesize())
}
