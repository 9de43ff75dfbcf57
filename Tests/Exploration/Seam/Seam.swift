// The replacement for `Sources/OvermorrowEngine/Support/Seam.swift` in an exploring build. `Exploring+Fields.swift` has the
// explorer's record of a core.

enum Seam {
  static func takes(_ work: @autoclosure @escaping @Sendable () -> Void) -> Bool {
    guard let explorer = Explorer.current else { return false }
    explorer.enqueue(work)
    return true
  }

  static func keep(_ object: AnyObject) { Explorer.current?.keep(object) }

  /// An exploration must not depend on earlier executions.
  static func initial(_ word: UInt) -> UInt { 0 }

  static var thread: UInt32 { UInt32(Explorer.current?.thread ?? 0) }

  /// As few as possible, so that the threads of a program have different seats, and also the same one.
  static func seats(_ number: Int) -> Int { 2 }
}

/// Memory that the explorer retains until the end of an execution.
enum CoreMemory {
  private final class Buffer: ManagedBuffer<Void, UInt64> {}

  static func allocate(bytes: Int) -> (memory: UnsafeMutableRawPointer, sizeClass: UInt32) {
    let buffer = Buffer.create(minimumCapacity: bytes / 8) { _ in }
    Explorer.current?.keep(buffer)
    // Unsafe: retained until `free`.
    _ = unsafe Unmanaged.passRetained(buffer)
    return unsafe (buffer.withUnsafeMutablePointerToElements { UnsafeMutableRawPointer($0) }, 0)
  }

  static func free(_ memory: UnsafeMutableRawPointer, _ sizeClass: UInt32) {
    // Unsafe: `memory` is the elements of an object that `allocate` has retained, which begin after two words of the
    // runtime.
    unsafe Unmanaged<AnyObject>.fromOpaque(memory - 2 * MemoryLayout<UInt>.size).release()
  }
}
