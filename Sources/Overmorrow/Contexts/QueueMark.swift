internal import Dispatch

/// A mark on a dispatch queue. The library marks each queue that user code passes to it, so that code in the queue's
/// blocks can identify the queue. The main queue and the global queues need no marks on Apple's platforms. On other
/// platforms, their marks name their contexts.
///
/// The label does not identify a queue, because several queues may have the same label.
class QueueMark: @unchecked Sendable {
  // Sendable: its fields are constant, and so is the field of the subclass.
  /// The identity of the queue, which is valid as long as this mark is retained; `nil` for the main queue and the
  /// global queues.
  let identity: ObjectIdentifier?
  /// A reference that is never read. An unowned reference keeps the memory of the queue's object, so that the address
  /// of the object is not reused. A weak reference would move the object's reference count to a side table. Then each
  /// hand-over to the queue would cost more.
  private unowned let queue: DispatchQueue?

  fileprivate init(of queue: DispatchQueue?) {
    self.queue = queue
    identity = queue.map { ObjectIdentifier($0) }
  }

  private static let contexts: [(queue: DispatchQueue, context: PromiseContext)] = [
    (.main, .main), (.global(qos: .background), .background), (.global(qos: .utility), .utility),
    (.global(qos: .default), .default), (.global(qos: .userInitiated), .userInitiated),
    (.global(qos: .userInteractive), .userInteractive),
  ]

  private static let key: DispatchSpecificKey<QueueMark> = {
    let key = DispatchSpecificKey<QueueMark>()
    #if !canImport(Darwin)
      // Two of these queues may be the same queue. On these platforms, the last two are one queue. Such a queue gets
      // the name of the context that comes first in the list.
      for (queue, context) in contexts.reversed() { queue.setSpecific(key: key, value: NamedMark(context)) }
    #endif
    return key
  }()

  /// The lock that is taken to mark a queue. A queue is marked only once, because a second mark would replace the first
  /// mark while other threads may be using it.
  private static let marking = Guarded(())

  /// Returns the context of the main queue or of a global queue. Marks any other queue, and returns `nil` for it.
  static func context(of queue: DispatchQueue) -> PromiseContext? {
    #if canImport(Darwin)
      if let known = contexts.first(where: { $0.queue === queue }) { return known.context }
    #endif
    // On other platforms, each `DispatchQueue.global()` is a new object for the same queue. All these objects share the
    // marks of the queue.
    let mark = queue.getSpecific(key: key) ?? mark(queue)
    // The class of the mark says whether the mark names a context. No field of a new mark is read, because another
    // thread may just have created the mark, and ThreadSanitizer does not see the lock of a queue's marks.
    return (mark as? NamedMark)?.context
  }

  @inline(never)
  private static func mark(_ queue: DispatchQueue) -> QueueMark {
    marking.withLock { _ in
      if let mark = queue.getSpecific(key: key) { return mark }
      let mark = QueueMark(of: queue)
      queue.setSpecific(key: key, value: mark)
      return mark
    }
  }

  /// The mark of the queue whose block the calling thread runs. If that queue has no mark, the mark of the first marked
  /// queue among its targets.
  static var current: QueueMark? { DispatchQueue.getSpecific(key: key) }
}

/// The mark of the main queue or of a global queue.
private final class NamedMark: QueueMark, @unchecked Sendable {
  let context: PromiseContext

  init(_ context: PromiseContext) {
    self.context = context
    super.init(of: nil)
  }
}
