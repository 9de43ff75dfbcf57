// What an exploring build has in the place of `Sources/Overmorrow/Support/Seam.swift`; what the explorer keeps of a core is in
// `Exploring+Fields.swift`.

enum Seam {
  static func takes(_ work: @autoclosure @escaping @Sendable () -> Void) -> Bool {
    guard let explorer = Explorer.current else { return false }
    explorer.enqueue(work)
    return true
  }

  static func keep(_ object: AnyObject) { Explorer.current?.keep(object) }

  /// So few that a slab is soon used up.
  static func slabCapacity(_ usual: Int) -> Int { 2 }

  /// What is explored must not depend on what has been explored before.
  static func atFirst(_ word: UInt) -> UInt { 0 }
}

/// Memory that an explorer keeps to the end of an execution.
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
    // Unsafe: the elements of an object that `allocate` has retained, behind two words of the runtime's.
    unsafe Unmanaged<AnyObject>.fromOpaque(memory - 2 * MemoryLayout<UInt>.size).release()
  }
}
