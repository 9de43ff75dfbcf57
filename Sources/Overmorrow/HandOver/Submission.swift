internal import COvermorrowSystem
internal import Dispatch

extension WorkItem {
  #if canImport(Darwin)
    /// Hands the item to a queue, which takes neither a closure nor a block.
    func enqueue(on queue: DispatchQueue) {
      // Unsafe: as for `run`; the queue calls the function once.
      unsafe overmorrow_dispatch_async(queue, word, function)
    }
  #else
    /// Hands the item to a queue, which takes neither a closure nor a block.
    func enqueue(on queue: DispatchQueue) {
      // Unsafe: as for `run`; the queue calls the function once.
      if Self.isLayoutKnown { return unsafe overmorrow_dispatch_async(Self.queue(of: queue), word, function) }
      queue.async { run() }
    }

    // Here a `DispatchQueue` is an object that refers to the queue. Its only field is not public, but two queues are known
    // in both forms: if what lies behind the headers of their objects are these queues, it is the field.

    /// Whether ``queue(of:)`` is right.
    private static let isLayoutKnown =
      unsafe queue(of: .main) == overmorrow_dispatch_main_queue()
      && queue(of: .global(qos: .utility)) == overmorrow_dispatch_utility_queue()

    private static func queue(of object: DispatchQueue) -> OpaquePointer {
      // Unsafe: read only to be compared with known queues, or when that has shown that the field is there. No allocation
      // ends right behind an object's header: the smallest one has room for another word.
      unsafe Unmanaged.passUnretained(object).toOpaque()
        .load(fromByteOffset: 2 * MemoryLayout<UInt>.size, as: OpaquePointer.self)
    }
  #endif
}
