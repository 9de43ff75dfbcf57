package import Dispatch
package import Overmorrow
internal import Testing

#if canImport(CDispatch)
  internal import CDispatch
#endif

/// The label of the dispatch queue that this code runs on.
package var currentQueueLabel: String {
  #if canImport(CDispatch)
    // Unsafe: the C string lives as long as the queue.
    unsafe String(cString: dispatch_queue_get_label(nil))
  #else
    // Unsafe: the C string lives as long as the queue.
    unsafe String(cString: __dispatch_queue_get_label(nil))
  #endif
}

/// A dispatch queue that code can recognize as the one it runs on.
package final class MarkedQueue: Sendable {
  package let queue: DispatchQueue
  private let key = DispatchSpecificKey<Bool>()

  package init(label: String = "marked", attributes: DispatchQueue.Attributes = []) {
    queue = DispatchQueue(label: label, attributes: attributes)
    queue.setSpecific(key: key, value: true)
  }

  package var context: PromiseContext { .queue(queue) }

  /// Whether the caller runs on this queue.
  package var isCurrent: Bool { DispatchQueue.getSpecific(key: key) == true }

  /// Waits until all work submitted so far has run.
  package func drain() async {
    let isDrained = Latch()
    queue.async(flags: .barrier) { isDrained.signal() }
    await isDrained.wait(for: "the work on the queue")
  }
}
