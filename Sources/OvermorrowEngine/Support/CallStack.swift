internal import COvermorrowSystem

/// The return addresses of the calls of a thread, the innermost call first.
package struct CallStack: Sendable {
  /// The largest number of addresses. This number of frames is enough to reach the caller of the library.
  package static var limit: Int { 24 }

  package let addresses: [UInt]

  package init(addresses: [UInt]) { self.addresses = addresses }

  /// The word that this value consists of: the address of the array's buffer.
  // Unsafe: an array is one word on every platform, and this word is only read.
  package var word: UInt { unsafe unsafeBitCast(addresses, to: UInt.self) }

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

  /// Captures the calls that lead to the caller, up to the first function without a frame pointer. Capturing takes less
  /// than a microsecond.
  @inline(never)
  package static func captureFrames() -> CallStack {
    // Unsafe: as in `capture`.
    let addresses = unsafe [UInt](unsafeUninitializedCapacity: limit) { buffer, count in
      guard let first = buffer.baseAddress else { return }
      count = Int(unsafe overmorrow_capture_frames(first, Int32(buffer.count)))
    }
    return CallStack(addresses: addresses)
  }

  /// Returns the name of the function at an address, as the linker knows it; `nil` if no name is known.
  package static func function(at address: UInt) -> String? {
    // Unsafe: the function returns a string that exists as long as the file of the function.
    unsafe overmorrow_function(address).map { unsafe String(cString: $0) }
  }

  /// The innermost calls, each as the name of a file and the address of the last byte of the call in it, such as
  /// "App+0x12f4". If the file of a call is not known, the text is only the address in memory.
  package var texts: [String] {
    addresses.prefix(4).map { returnAddress in
      let address = returnAddress - 1
      var start: UInt = 0
      // Unsafe: the function stores the start of the file, and returns a string that exists as long as the file.
      guard let path = unsafe overmorrow_image(address, &start) else { return "0x\(String(address, radix: 16))" }
      let name = unsafe String(cString: path).split(separator: "/").last ?? ""
      return "\(name)+0x\(String(address - start, radix: 16))"
    }
  }
}
