import Foundation

/// How many bytes of memory this process has in use; `nil` where that cannot be told, or says nothing.
func residentBytes() -> Int? {
  // A sanitizer's own bookkeeping grows with every access.
  for name in ["__tsan_init", "__asan_init"] where unsafe dlsym(nil, name) != nil { return nil }
  guard let statm = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return nil }
  let fields = statm.split(separator: " ")
  guard fields.count > 1, let pages = Int(fields[1]) else { return nil }
  return pages * Int(getpagesize())
}
