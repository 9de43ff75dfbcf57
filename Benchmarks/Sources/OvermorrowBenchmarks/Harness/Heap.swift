import Foundation

/// The memory of the program on the heap, in bytes, including the allocator's overhead for each block.
///
/// It uses glibc's `malloc_info`, which Swift can find only by name, and takes the numbers of `mallinfo2`, over all
/// arenas. Blocks in a thread's own cache count as used, so a difference is exact only for many objects.
enum Heap {
  private typealias Info = @convention(c) (Int32, UnsafeMutablePointer<FILE>) -> Int32
  private typealias Option = @convention(c) (Int32, Int32) -> Int32
  private typealias Count = @convention(c) () -> Int

  static var bytes: Int? {
    guard let info = function("malloc_info", Info.self) else { return nil }
    var text: UnsafeMutablePointer<CChar>?
    var size = 0
    guard let stream = open_memstream(&text, &size) else { return nil }
    let failed = info(0, stream)
    fclose(stream)
    defer { free(text) }
    guard failed == 0, let text else { return nil }
    return used(in: String(cString: text))
  }

  /// The number of blocks; `nil` unless the library of `Support/count-blocks.c` has been preloaded.
  static var blocks: Int? { function("overmorrow_live_blocks", Count.self)?() }

  /// Makes the allocator keep freed memory for the next round, and take all memory from the heap, so that a round does
  /// not include requests to the system.
  static func keepFreedMemory() {
    guard let option = function("mallopt", Option.self) else { return }
    let (trimThreshold, mappedBlocks): (Int32, Int32) = (-1, -4)
    _ = option(trimThreshold, .max)
    _ = option(mappedBlocks, 0)
  }

  /// The totals of all arenas come after the last arena: the memory from the system, less the free memory, plus the
  /// mapped memory.
  private static func used(in info: String) -> Int? {
    guard let end = info.range(of: "</heap>", options: .backwards)?.upperBound else { return nil }
    let sums = info[end...]
    guard let free = number("rest", sums), let fast = number("fast", sums), let current = number("current", sums) else {
      return nil
    }
    return current - free - fast + (number("mmap", sums) ?? 0)
  }

  /// Returns the size of the element with this type.
  private static func number(_ type: String, _ text: Substring) -> Int? {
    guard let element = text.range(of: "type=\"\(type)\""),
      let size = text[element.upperBound...].range(of: "size=\"")
    else { return nil }
    return Int(text[size.upperBound...].prefix(while: \.isNumber))
  }

  private static func function<F>(_ name: String, _ type: F.Type) -> F? {
    // The caller knows the type of the function with this name.
    dlsym(dlopen(nil, RTLD_NOW), name).map { unsafeBitCast($0, to: type) }
  }
}
