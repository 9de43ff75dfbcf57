import Foundation

/// What the program has on the heap, in bytes; with what the allocator adds to each block.
///
/// By glibc's `malloc_info`, which Swift finds by its name only. It takes the numbers of `mallinfo2`, over all arenas. What lies in a
/// thread's own small cache counts as used: so a difference is only exact for many objects.
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

  /// How many blocks there are; `nil` unless the library of `Support/count-blocks.c` has been loaded first.
  static var blocks: Int? { function("overmorrow_live_blocks", Count.self)?() }

  /// Has the allocator keep what is freed for the next round, and take all it needs from the heap: what it costs to ask the system
  /// for memory is no part of a round then.
  static func keepFreedMemory() {
    guard let option = function("mallopt", Option.self) else { return }
    let (trimThreshold, mappedBlocks): (Int32, Int32) = (-1, -4)
    _ = option(trimThreshold, .max)
    _ = option(mappedBlocks, 0)
  }

  /// The sums for all arenas follow the last of them: what the system has given, without what is free, and what is mapped.
  private static func used(in info: String) -> Int? {
    guard let end = info.range(of: "</heap>", options: .backwards)?.upperBound else { return nil }
    let sums = info[end...]
    guard let free = number("rest", sums), let fast = number("fast", sums), let current = number("current", sums) else {
      return nil
    }
    return current - free - fast + (number("mmap", sums) ?? 0)
  }

  /// Of the element of a type, the size.
  private static func number(_ type: String, _ text: Substring) -> Int? {
    guard let element = text.range(of: "type=\"\(type)\""),
      let size = text[element.upperBound...].range(of: "size=\"")
    else { return nil }
    return Int(text[size.upperBound...].prefix(while: \.isNumber))
  }

  private static func function<F>(_ name: String, _ type: F.Type) -> F? {
    // Whoever asks knows what type a function of this name has.
    dlsym(dlopen(nil, RTLD_NOW), name).map { unsafeBitCast($0, to: type) }
  }
}
