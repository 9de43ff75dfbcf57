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

    // Here a `DispatchQueue` is an object that refers to the queue, by its only field, which is not public. Two queues
    // are known in both forms; if the first words after the headers of their objects are these queues, that word is the
    // field.

    /// Whether ``queue(of:)`` is right.
    private static let isLayoutKnown =
      unsafe queue(of: .main) == overmorrow_dispatch_main_queue()
      && queue(of: .global(qos: .utility)) == overmorrow_dispatch_utility_queue()

    private static func queue(of object: DispatchQueue) -> OpaquePointer {
      // Unsafe: read only to be compared with known queues, or after that has shown that the field is there. No
      // allocation ends right after an object's header: the smallest one has room for another word.
      unsafe Unmanaged.passUnretained(object).toOpaque()
        .load(fromByteOffset: 2 * MemoryLayout<UInt>.size, as: OpaquePointer.self)
    }
  #endif
}
