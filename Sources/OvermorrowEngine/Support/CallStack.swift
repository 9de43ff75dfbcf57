internal import COvermorrowSystem

/// The return addresses of the calls of a thread, the innermost call first.
package struct CallStack: Sendable {
  /// The largest number of addresses. This number of frames is enough to reach the caller of the library.
  package static var limit: Int { 24 }

  package let addresses: [UInt]

  /// Captures the calls that lead to the caller. Capturing takes a few microseconds, and makes no text.
  @inline(never)
  package static func capture() -> CallStack {
    // Unsafe: the C function initialises the elements that it counts, and no more than `limit` elements.
    let addresses = unsafe [UInt](unsafeUninitializedCapacity: limit) { buffer, count in
      guard let first = buffer.baseAddress else { return }
      count = Int(unsafe overmorrow_capture_calls(first, Int32(buffer.count)))
    }
    return CallStack(addresses: addresses)
  }
}
