internal import COvermorrowSystem
internal import Dispatch

/// A piece of work that is run once: a function, and a word as its argument. Dispatch takes work in this form.
@safe
struct WorkItem: @unchecked Sendable {
  // Sendable: the code that creates an item hands the word over to the thread that runs the item.

  typealias Function = @convention(c) (_ word: UnsafeMutableRawPointer?) -> Void

  let function: Function
  let word: UnsafeMutableRawPointer

  /// - Parameters:
  ///   - word: The argument of the function. The word must be valid until the item has run.
  ///   - function: The function to run.
  init(_ word: UnsafeMutableRawPointer, _ function: @escaping Function) {
    unsafe self.word = word
    unsafe self.function = function
  }

  init(_ work: @escaping @Sendable () -> Void) {
    // Unsafe: the word owns the box until the item is run. An item is run once.
    unsafe self.init(Unmanaged.passRetained(WorkBox(work)).toOpaque()) { word in
      guard let word = unsafe word else { return }
      unsafe Unmanaged<WorkBox>.fromOpaque(word).takeRetainedValue().work()
    }
  }

  func run() { unsafe function(word) }
}

/// A box with a closure. A closure has two words, so it does not fit into the one word of an item. The address of the
/// box fits.
private final class WorkBox: Sendable {
  let work: @Sendable () -> Void

  init(_ work: @escaping @Sendable () -> Void) { self.work = work }
}

extension WorkItem {
  #if canImport(Darwin)
    /// Submits the item to a queue, and creates neither a closure nor a block.
    func enqueue(on queue: DispatchQueue) {
      // Unsafe: the queue calls the function once, with the word of the item.
      unsafe overmorrow_dispatch_async(queue, word, function)
    }
  #else
    /// Submits the item to a queue. If the layout of queues is known, creates neither a closure nor a block.
    func enqueue(on queue: DispatchQueue) {
      // Unsafe: the queue calls the function once, with the word of the item.
      if Self.isLayoutKnown { return unsafe overmorrow_dispatch_async(Self.queue(of: queue), word, function) }
      queue.async { run() }
    }

    // On these platforms, a `DispatchQueue` is an object whose single field refers to the queue of the C library. The
    // field is not public. For two queues, both the object and the queue of the C library can be obtained separately.
    // If the first word after the header of each of these two objects is the address of the corresponding C queue, this
    // word is the field.

    /// Whether a `DispatchQueue` has the layout that ``queue(of:)`` assumes.
    fileprivate static let isLayoutKnown =
      unsafe queue(of: .main) == overmorrow_dispatch_main_queue()
      && queue(of: .global(qos: .utility)) == overmorrow_dispatch_utility_queue()

    fileprivate static func queue(of object: DispatchQueue) -> OpaquePointer {
      // Unsafe: the word is read only to compare it with known queues, or after these comparisons have found the field.
      // Even the smallest allocation has room for a word after the header of an object.
      unsafe Unmanaged.passUnretained(object).toOpaque()
        .load(fromByteOffset: 2 * MemoryLayout<UInt>.size, as: OpaquePointer.self)
    }
  #endif
}

extension DispatchQueue {
  /// Whether the queue is known to be serial. Dispatch has no function that says so. On Linux, the width of a queue is
  /// read where Dispatch says to debuggers that it lies. On Apple's systems, the class of a queue is named after its
  /// kind. On other systems, no queue is known to be serial.
  package var isKnownSerial: Bool { Self.isKindKnown && isSerial }

  /// Whether the kind of two queues is found that are known to be serial or concurrent.
  private static let isKindKnown =
    DispatchQueue(label: "Overmorrow.Serial").isSerial
    && !DispatchQueue(label: "Overmorrow.Concurrent", attributes: .concurrent).isSerial

  #if canImport(Darwin)
    private var isSerial: Bool { "\(type(of: self))" == "OS_dispatch_queue_serial" }
  #elseif os(Linux)
    private var isSerial: Bool {
      // Unsafe: the width is only read, and the queue exists during the call.
      unsafe WorkItem.isLayoutKnown && overmorrow_dispatch_width(WorkItem.queue(of: self)) == 1
    }
  #else
    private var isSerial: Bool { false }
  #endif
}
