internal import Dispatch

/// A mark on a dispatch queue that was given to the library. On the main queue and the global queues, the mark says
/// which context the queue is. On another queue, the queue's blocks find the queue by its mark.
///
/// The label does not identify a queue, because several queues may have the same label.
class QueueMark: @unchecked Sendable {
  // Sendable: its fields are constant, and so is the field of the subclass.
  /// Identifies the queue as long as this mark is retained; `nil` for the main queue and the global queues.
  let identity: ObjectIdentifier?
  /// Never read. An unowned reference keeps the memory of the queue's object, so that its address is not reused. A weak
  /// reference would move the object's reference count to a side table, where each hand-over to the queue pays for it.
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
      // Two of these may be the same queue, as the last two are on these platforms. Then the first name counts.
      for (queue, context) in contexts.reversed() { queue.setSpecific(key: key, value: NamedMark(context)) }
    #endif
    return key
  }()

  /// The lock that is taken to mark a queue. A mark is set only once, because other threads may be using it.
  private static let marking = Guarded(())

  /// Returns the case of the main queue or of a global queue. Returns `nil` for another queue, which has a mark
  /// afterwards.
  static func context(of queue: DispatchQueue) -> PromiseContext? {
    #if canImport(Darwin)
      if let known = contexts.first(where: { $0.queue === queue }) { return known.context }
    #endif
    // Elsewhere each `DispatchQueue.global()` is a new object for the same queue, and all of them share its marks.
    let mark = queue.getSpecific(key: key) ?? mark(queue)
    // The class says what the mark is. No field of a new mark is read, because another thread may just have made it,
    // and ThreadSanitizer does not see the lock of a queue's marks.
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

  /// The mark of the queue whose block the calling thread runs. If that queue has no mark, the mark of its first target
  /// that has one.
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
