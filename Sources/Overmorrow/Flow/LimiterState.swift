/// The jobs that have a turn, and those that wait: pure changes, under the lock of a limiter.
package struct LimiterState {
  package typealias Counts = (running: Int, pending: Int)
  package typealias Observer = @Sendable (_ difference: Counts) -> Void

  var width: Int
  private(set) var running = 0
  private(set) var pending = IndexedHeap<LimiterTicket>()

  /// Receives the changes, if there is an observer.
  var observer: Observer?

  init(width: Int) { self.width = width }

  var counts: Counts { (running, pending.count) }

  func difference(from before: Counts) -> Counts { (running - before.running, pending.count - before.pending) }

  /// A new job waits for its turn; unless it is over already.
  mutating func enter(_ ticket: LimiterTicket, with job: any LimiterJob) {
    guard ticket.phase == .new else { return }
    ticket.phase = .pending
    ticket.job = job
    pending.insert(ticket)
  }

  /// A job's promise has resolved.
  mutating func leave(_ ticket: LimiterTicket) {
    if ticket.phase == .running { running -= 1 }
    pending.remove(ticket)
    ticket.phase = .over
  }

  /// The jobs to start, as many as there is room for, in their order; and those that have to wait for their pause
  /// first, which let the others go before them, and have to enter again.
  mutating func grantTurns() -> [(ticket: LimiterTicket, job: any LimiterJob, pause: PauseLine?)] {
    var turns: [(LimiterTicket, any LimiterJob, PauseLine?)] = []
    while running < width, let ticket = pending.popFirst() {
      let pause = ticket.pause.flatMap { $0.isShut ? $0 : nil }
      ticket.phase = pause == nil ? .running : .new
      if pause == nil { running += 1 }
      if let job = ticket.takeJob() { turns.append((ticket, job, pause)) }
    }
    return turns
  }

  /// Takes all jobs that wait out of the queue.
  mutating func giveUpPending() -> [LimiterTicket] {
    var tickets: [LimiterTicket] = []
    while let ticket = pending.popFirst() {
      ticket.phase = .over
      tickets.append(ticket)
    }
    return tickets
  }
}

/// A job's place in the queue.
final class LimiterTicket: IndexedHeapEntry, @unchecked Sendable {
  // Sendable: `priority` and `pause` never change; the rest is only touched under the lock of the limiter.
  enum Phase { case new, pending, running, over }

  let priority: Int
  /// What the job's context goes through.
  let pause: PauseLine?
  var phase = Phase.new
  var index: Int?
  var number: UInt64 = 0
  fileprivate var job: (any LimiterJob)?

  init(priority: Int, pause: PauseLine?) {
    self.priority = priority
    self.pause = pause
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
}

extension HeldWork: LimiterJob {}
