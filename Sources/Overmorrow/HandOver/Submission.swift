internal import COvermorrowSystem
internal import Dispatch

extension WorkItem {
  #if canImport(Darwin)
    /// Submits the item to a queue without a closure or a block.
    func enqueue(on queue: DispatchQueue) {
      // Unsafe: the queue calls the function once, with the word of the item.
      unsafe overmorrow_dispatch_async(queue, word, function)
    }
  #else
    /// Submits the item to a queue without a closure or a block.
    func enqueue(on queue: DispatchQueue) {
      // Unsafe: the queue calls the function once, with the word of the item.
      if Self.isLayoutKnown { return unsafe overmorrow_dispatch_async(Self.queue(of: queue), word, function) }
      queue.async { run() }
    }

    // Here a `DispatchQueue` is an object with a single field, which is not public and refers to the queue of the C
    // library. Two queues are known in both forms. If the first word after the header of each of the two objects is its
    // C queue, that word is the field.

    /// Whether the layout is as ``queue(of:)`` assumes.
    private static let isLayoutKnown =
      unsafe queue(of: .main) == overmorrow_dispatch_main_queue()
      && queue(of: .global(qos: .utility)) == overmorrow_dispatch_utility_queue()

    private static func queue(of object: DispatchQueue) -> OpaquePointer {
      // Unsafe: read only to be compared with known queues, or after these comparisons have shown that the field is
      // there. No allocation ends right after an object's header: the smallest one has room for another word.
      unsafe Unmanaged.passUnretained(object).toOpaque()
        .load(fromByteOffset: 2 * MemoryLayout<UInt>.size, as: OpaquePointer.self)
    }
  #endif
}
