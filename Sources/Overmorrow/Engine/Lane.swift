internal import Dispatch

/// What the library has handed to one of the global queues and that has not begun.
///
/// The work waits here, and the queue gets one turn for each piece of it, so that threads that help out
/// (``ReliefThreads``) can take work whose turn does not come because blocking waits occupy the pool. Whoever comes takes
/// the first piece; a turn that finds none does nothing. There are never fewer turns to come than pieces.
final class Lane: Sendable {
  typealias Work = @Sendable () -> Void

  static let background = Lane(.background)
  static let utility = Lane(.utility)
  static let `default` = Lane(.default)
  static let userInitiated = Lane(.userInitiated)
  static let userInteractive = Lane(.userInteractive)

  /// The most urgent ones first.
  private static let all = [userInteractive, userInitiated, `default`, utility, background]

  private let queue: DispatchQueue
  private let waiting = Guarded(WorkList())

  private init(_ qos: DispatchQoS.QoSClass) { queue = .global(qos: qos) }

  func enqueue(_ work: @escaping Work) {
    waiting.withLock { $0.append(work) }
    queue.async { [unowned self] in takeFirst()?() }
    ReliefThreads.workHasCome()
  }

  private func takeFirst() -> Work? { waiting.withLock { $0.takeFirst() } }

  static var isAnyWaiting: Bool { all.contains { lane in lane.waiting.withLock { !$0.isEmpty } } }

  /// Runs the first piece of the most urgent work on the calling thread; `false` if there is none.
  ///
  /// A queue that is not serial lets the thread in at once, so that the work finds itself on the queue that it was for.
  static func runAny() -> Bool {
    for lane in all {
      guard let work = lane.takeFirst() else { continue }
      lane.queue.sync(execute: work)
      return true
    }
    return false
  }
}

/// First in, first out.
private struct WorkList {
  private var items: [Lane.Work?] = []
  private var head = 0

  var isEmpty: Bool { head == items.count }

  mutating func append(_ work: @escaping Lane.Work) { items.append(work) }

  mutating func takeFirst() -> Lane.Work? {
    guard !isEmpty else { return nil }
    let work = items[head]
    items[head] = nil
    head += 1
    // What is spent goes when it is at least half of the list: a constant for each piece.
    if head == items.count {
      items.removeAll(keepingCapacity: head <= 1024)
      head = 0
    } else if head >= 1024, head * 2 >= items.count {
      items.removeFirst(head)
      head = 0
    }
    return work
  }
}
