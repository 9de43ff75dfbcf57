import Foundation

/// Whether the tests run under a sanitizer, which makes everything an order of magnitude slower.
let isSanitized = ["__tsan_init", "__asan_init"].contains { (name: String) in unsafe dlsym(nil, name) != nil }

/// A number of links or children, or a twentieth of it under a sanitizer, which looks for other faults than size.
func scaled(_ count: Int) -> Int { isSanitized ? count / 20 : count }
