internal import Foundation

/// Whether the tests run under a sanitizer, which makes everything an order of magnitude slower.
package let isSanitized = ["__tsan_init", "__asan_init"].contains { (name: String) in unsafe dlsym(nil, name) != nil }

/// A number of links or children: all of them in the release suite, which proves the numbers in the tests' names.
///
/// A debug build, many times slower, has 20,000 at most: they overflow a stack of 512 KiB, too, if anything is left on it for each.
/// Under a sanitizer it is a twentieth; that looks for other faults than size.
package func scaled(_ count: Int) -> Int {
  if isSanitized { return count / 20 }
  #if DEBUG
    return min(count, 20_000)
  #else
    return count
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
