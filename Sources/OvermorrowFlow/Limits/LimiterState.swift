internal import Overmorrow

/// The state of a limiter: its running and its waiting jobs. The methods only change the state, and the limiter calls
/// them under its lock.
package struct LimiterState {
  package typealias Counts = (running: Int, pending: Int)
  package typealias Observer = @Sendable (_ difference: Counts) -> Void

  var width: Int
  private(set) var running = 0
  private(set) var pending = IndexedHeap<LimiterTicket>()

  /// The observer of the changes of the counts, or `nil` if there is none.
  var observer: Observer?

  init(width: Int) { self.width = width }

  var counts: Counts { (running, pending.count) }

  func difference(from before: Counts) -> Counts { (running - before.running, pending.count - before.pending) }

  /// Gives a place to a new job now, if a place is free and no other job waits. Returns whether the job has a place.
  mutating func begin(_ ticket: LimiterTicket) -> Bool {
    guard running < width, pending.count == 0 else { return false }
    ticket.phase = .running
    running += 1
    return true
  }

  /// Adds a new job to the queue. Does nothing if the job is already over.
  mutating func enter(_ ticket: LimiterTicket, with job: any LimiterJob) {
    guard ticket.phase == .new else { return }
    ticket.phase = .pending
    ticket.job = job
    pending.insert(ticket)
  }

  /// Removes a job whose promise has resolved.
  mutating func leave(_ ticket: LimiterTicket) {
    if ticket.phase == .running { running -= 1 }
    pending.remove(ticket)
    ticket.phase = .over
  }

  /// Takes jobs out of the queue while a place is free, and returns the jobs in the order in which to start them.
  ///
  /// A job with a suspended pause takes no place, and is returned together with that pause. When the pause is resumed,
  /// the caller adds the job to the queue again.
  mutating func grantTurns() -> [(ticket: LimiterTicket, job: any LimiterJob, pause: PauseLine?)] {
    var turns: [(LimiterTicket, any LimiterJob, PauseLine?)] = []
    while running < width, let ticket = pending.popFirst() {
      let pause = ticket.pauses.first(where: \.isBlocked)
      ticket.phase = pause == nil ? .running : .new
      if pause == nil { running += 1 }
      if let job = ticket.takeJob() { turns.append((ticket, job, pause)) }
    }
    return turns
  }

  /// Takes all waiting jobs out of the queue.
  mutating func removePending() -> [LimiterTicket] {
    var tickets: [LimiterTicket] = []
    while let ticket = pending.popFirst() {
      ticket.phase = .over
      tickets.append(ticket)
    }
    return tickets
  }
}

/// The entry of a job in the queue.
final class LimiterTicket: IndexedHeapEntry, @unchecked Sendable {
  // Sendable: `priority` and `pauses` never change; the rest is only touched under the lock of the limiter.
  enum Phase { case new, pending, running, over }

  let priority: Int
  /// The pauses of the job's context.
  let pauses: [PauseLine]
  var phase = Phase.new
  var index: Int?
  var number: UInt64 = 0
  fileprivate var job: (any LimiterJob)?

  init(priority: Int, pauses: [PauseLine]) {
    self.priority = priority
    self.pauses = pauses
  }

  func precedes(_ other: LimiterTicket) -> Bool? { priority == other.priority ? nil : priority > other.priority }

  /// Takes the job out. The ticket no longer retains the job. So if a context drops the closure that would start the
  /// job, the job is released.
  func takeJob() -> (any LimiterJob)? {
    defer { job = nil }
    return job
  }
}

/// A job that a limiter can start.
protocol LimiterJob: Sendable {
  func start()
}

extension HeldWork: LimiterJob {}
