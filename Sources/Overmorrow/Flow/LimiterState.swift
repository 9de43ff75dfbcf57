/// Who has a turn, and who waits for one: pure changes, under the lock of a limiter.
struct LimiterState {
  var width: Int
  private(set) var running = 0
  private(set) var pending = IndexedHeap<LimiterTicket>()

  init(width: Int) { self.width = width }

  /// A new job waits for its turn; unless it is over already.
  mutating func enter(_ ticket: LimiterTicket) {
    guard ticket.phase == .new else { return }
    ticket.phase = .pending
    pending.insert(ticket)
  }

  /// A job's promise has resolved.
  mutating func leave(_ ticket: LimiterTicket) {
    if ticket.phase == .running { running -= 1 }
    pending.remove(ticket)
    ticket.phase = .over
  }

  /// What is to be called to start as many jobs as there is room for, in their order.
  mutating func grantTurns() -> [@Sendable () -> Void] {
    var starts: [@Sendable () -> Void] = []
    while running < width, let ticket = pending.first {
      pending.remove(ticket)
      ticket.phase = .running
      running += 1
      if let start = ticket.takeStart() { starts.append(start) }
    }
    return starts
  }

  /// Takes all jobs that wait out of the queue.
  mutating func giveUpPending() -> [LimiterTicket] {
    var tickets: [LimiterTicket] = []
    while let ticket = pending.first {
      pending.remove(ticket)
      ticket.phase = .over
      tickets.append(ticket)
    }
    return tickets
  }
}

/// A job's place in the queue.
final class LimiterTicket: IndexedHeapEntry, @unchecked Sendable {
  // Sendable: `priority` never changes; the rest is only touched under the lock of the limiter.
  enum Phase { case new, pending, running, over }

  let priority: Int
  var phase = Phase.new
  var index: Int?
  var number: UInt64 = 0
  private var start: (@Sendable () -> Void)?

  init(priority: Int, start: @escaping @Sendable () -> Void) {
    self.priority = priority
    self.start = start
  }

  func precedes(_ other: LimiterTicket) -> Bool? { priority == other.priority ? nil : priority > other.priority }

  /// What starts the job, once. Nothing else keeps it then, so that a context that drops it drops the job.
  func takeStart() -> (@Sendable () -> Void)? {
    defer { start = nil }
    return start
  }
}
