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

  /// A job cannot use its turn now; others may. It has to enter again.
  mutating func stepBack(_ ticket: LimiterTicket, with job: any LimiterJob) {
    guard ticket.phase == .running else { return }
    running -= 1
    ticket.phase = .new
    ticket.job = job
  }

  /// The jobs to start, as many as there is room for, in their order.
  mutating func grantTurns() -> [(ticket: LimiterTicket, job: any LimiterJob)] {
    var turns: [(LimiterTicket, any LimiterJob)] = []
    while running < width, let ticket = pending.first {
      pending.remove(ticket)
      ticket.phase = .running
      running += 1
      if let job = ticket.takeJob() { turns.append((ticket, job)) }
    }
    return turns
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
  fileprivate(set) var job: (any LimiterJob)?

  init(priority: Int, _ job: any LimiterJob) {
    self.priority = priority
    self.job = job
  }

  func precedes(_ other: LimiterTicket) -> Bool? { priority == other.priority ? nil : priority > other.priority }

  /// The job, once. Nothing else keeps it then, so that a context that drops it drops the job.
  func takeJob() -> (any LimiterJob)? {
    defer { job = nil }
    return job
  }
}

/// What a limiter starts.
protocol LimiterJob: Sendable {
  func start()
  /// Whether it could not begin now.
  var isSuspended: Bool { get }
  func whenResumed(_ body: @escaping @Sendable () -> Void)
}

extension HeldWork: LimiterJob {}
