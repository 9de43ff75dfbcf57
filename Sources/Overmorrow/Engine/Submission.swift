internal import COvermorrowSystem
internal import Dispatch

/// Submits functions to dispatch queues, which takes neither a closure nor a block.
enum Submission {
  typealias Function = @convention(c) (_ context: UnsafeMutableRawPointer?) -> Void

  #if canImport(Darwin)
    static func isMain(_ queue: DispatchQueue) -> Bool { queue === DispatchQueue.main }

    /// Submits a call of a function. The context has to be there until then.
    static func submit(_ context: UnsafeMutableRawPointer, to queue: DispatchQueue, _ function: Function) {
      // Unsafe: what the context points to is the caller's business.
      unsafe overmorrow_dispatch_async(queue, context, function)
    }
  #else
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

    static func isMain(_ queue: DispatchQueue) -> Bool {
      isLayoutKnown ? unsafe self.queue(of: queue) == overmorrow_dispatch_main_queue() : MainQueue.hasMark(queue)
    }

    /// Submits a call of a function. The context has to be there until then.
    static func submit(_ context: UnsafeMutableRawPointer, to queue: DispatchQueue, _ function: @escaping Function) {
      // Unsafe: what the context points to is the caller's business.
      if isLayoutKnown { return unsafe overmorrow_dispatch_async(self.queue(of: queue), context, function) }
      nonisolated(unsafe) let context = unsafe context
      queue.async { unsafe function(context) }
    }
  #endif
}
