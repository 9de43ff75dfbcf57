internal import Dispatch

/// A note on a dispatch queue that the library has been given: which context the queue is, or how its blocks find it.
///
/// The label of a queue says nothing, as any queue may have any label.
final class QueueMark: Sendable {
  private let context: PromiseContext?
  /// `nil` for the main queue and the global ones; weak, as the queue keeps its mark.
  private weak let queue: DispatchQueue?

  private init(_ context: PromiseContext?, _ queue: DispatchQueue?) {
    self.context = context
    self.queue = queue
  }

  private static let contexts: [(queue: DispatchQueue, context: PromiseContext)] = [
    (.main, .main), (.global(qos: .background), .background), (.global(qos: .utility), .utility),
    (.global(qos: .default), .default), (.global(qos: .userInitiated), .userInitiated),
    (.global(qos: .userInteractive), .userInteractive),
  ]

  private static let key: DispatchSpecificKey<QueueMark> = {
    let key = DispatchSpecificKey<QueueMark>()
    #if !canImport(Darwin)
      // Two of them may be one queue, as here the last two are: that goes by the name of the first.
      for (queue, context) in contexts.reversed() { queue.setSpecific(key: key, value: QueueMark(context, nil)) }
    #endif
    return key
  }()

  /// Taken to mark a queue: once, as another thread may use the mark that is there.
  private static let marking = Guarded(())

  /// The own case of the main queue or of a global one; `nil` for another queue, which has a mark from now on.
  static func context(of queue: DispatchQueue) -> PromiseContext? {
    #if canImport(Darwin)
      if let known = contexts.first(where: { $0.queue === queue }) { return known.context }
    #endif
    // Elsewhere each `DispatchQueue.global()` is a new object for the same queue; what one of them is given, all have.
    return (queue.getSpecific(key: key) ?? mark(queue)).context
  }

  @inline(never)
  private static func mark(_ queue: DispatchQueue) -> QueueMark {
    marking.withLock { _ in
      if let mark = queue.getSpecific(key: key) { return mark }
      let mark = QueueMark(nil, queue)
      queue.setSpecific(key: key, value: mark)
      return mark
    }
  }

  /// The queue of the block that the calling thread runs, whoever has submitted that block: the first one that has a
  /// mark among that queue and its targets.
  static var current: DispatchQueue? { DispatchQueue.getSpecific(key: key)?.queue }
}
