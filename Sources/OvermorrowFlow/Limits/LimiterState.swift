internal import Overmorrow
internal import OvermorrowEngine

/// The state of a limiter: what runs and what waits. The methods only change the state, and the limiter calls them
/// under its lock.
package struct LimiterState: Sendable {
  package typealias Counts = (running: Int, pending: Int)
  package typealias Observer = @Sendable (_ difference: Counts) -> Void

  var width: Int
  /// The largest number of waiting jobs and tasks; `nil` if there is no limit.
  let maxPending: Int?
  /// The number of occupied places.
  private(set) var running = 0
  /// The tickets that occupy a place. A job that ends inside the call that submits the job has a place and no ticket.
  private var runningTickets = TicketList()
  /// The tickets of the jobs that wait for their pauses.
  private var paused = TicketList()
  private(set) var pending = IndexedHeap<LimiterTicket>()
  /// The number of calls of `cancelAll()`.
  private(set) var cancellations = 0
  private var lastOrder: UInt64 = 0

  /// The waiting tickets in the order of their deadlines, if there is a longest wait.
  var deadlines = LimiterDeadlines()

  /// The observer of the changes of the counts, or `nil` if there is none.
  var observer: Observer?

  init(width: Int, maxPending: Int?) {
    self.width = width
    self.maxPending = maxPending
  }

  var counts: Counts { (running, pending.count) }

  /// Returns a call of the observer with the differences from earlier counts; `nil` if there is no observer.
  func notification(of before: Counts) -> (@Sendable () -> Void)? {
    guard let observer else { return nil }
    let difference = (running - before.running, pending.count - before.pending)
    return { observer(difference) }
  }

  /// Whether a new job or task may have its turn now: a place is free, and nothing else waits.
  private var hasRoom: Bool { running < width && pending.count == 0 }

  /// Takes a place for a job without a ticket, if there is room.
  ///
  /// - Returns: The number of calls of `cancelAll()` so far, or `nil` if there is no room.
  mutating func beginAtOnce() -> Int? {
    guard hasRoom else { return nil }
    running += 1
    return cancellations
  }

  /// Frees the place of a job without a ticket.
  ///
  /// - Returns: Whether another job or task may now have its turn.
  mutating func endAtOnce() -> Bool {
    running -= 1
    return mayGrantTurn
  }

  /// Gives a ticket to a job that has its place already.
  mutating func keep(_ ticket: LimiterTicket) {
    lastOrder += 1
    ticket.order = lastOrder
    occupy(ticket)
  }

  private mutating func occupy(_ ticket: LimiterTicket) {
    ticket.phase = .running
    runningTickets.append(ticket)
  }

  /// Takes a place for a ticket, if there is room.
  mutating func begin(_ ticket: LimiterTicket) -> Bool {
    guard hasRoom else { return false }
    running += 1
    keep(ticket)
    return true
  }

  /// Adds a ticket to the queue. Does nothing if the ticket is already over.
  ///
  /// - Parameter deadline: The time at which the wait ends without a turn; `nil` if there is no longest wait.
  /// - Returns: What follows. If the queue is full, the ticket is over.
  mutating func enter(_ ticket: LimiterTicket, until deadline: Duration?) -> LimiterEntrance {
    switch ticket.phase {
    case .new: break
    case .paused: paused.remove(ticket)
    case .pending, .running, .over: return .waits
    }
    // The first tickets in the queue do not count if places are free for them. Such tickets are about to get their
    // turns.
    if let maxPending, pending.count - max(width - running, 0) >= maxPending {
      ticket.phase = .over
      ticket.error = .queueFull(width: width, maxPending: maxPending)
      return .isRefused
    }
    if ticket.order == 0 {
      lastOrder += 1
      ticket.order = lastOrder
    }
    ticket.phase = .pending
    pending.insert(ticket)
    if let deadline { deadlines.append(ticket, deadline, among: pending.count) }
    if !mayGrantTurn { return .waits }
    return pending.count == 1 ? .mayStart : .followsOthers
  }

  /// Removes a ticket whose job or task is over.
  ///
  /// - Returns: Whether another job or task may now have its turn.
  mutating func leave(_ ticket: LimiterTicket) -> Bool {
    switch ticket.phase {
    case .running:
      running -= 1
      runningTickets.remove(ticket)
    case .pending:
      pending.remove(ticket)
      deadlines.remove(ticket)
    case .paused: paused.remove(ticket)
    case .new, .over: break
    }
    ticket.phase = .over
    return mayGrantTurn
  }

  /// Whether a job or a task waits, and a place is free.
  private var mayGrantTurn: Bool { pending.count > 0 && running < width }

  /// The tickets that occupy places, and the number of them that must end before a place is free; `nil` if a place is
  /// free, or becomes free when the jobs without tickets end.
  ///
  /// - Parameter most: The largest number of tickets to return.
  func occupants(first most: Int) -> (tickets: [LimiterTicket], needed: Int)? {
    let tickets = runningTickets.tickets
    // After the width was reduced, more tickets than one must end.
    let needed = tickets.count - width + 1
    return needed > 0 ? (Array(tickets.prefix(most)), needed) : nil
  }

  /// Takes the next ticket out of the queue if a place is free.
  ///
  /// A job with a suspended pause takes no place, and is returned together with that pause. When the pause is resumed,
  /// the caller adds the job to the queue again.
  mutating func grantTurn() -> LimiterGrant? {
    guard running < width, let ticket = pending.popFirst() else { return nil }
    deadlines.remove(ticket)
    if let pause = ticket.pauses.first(where: \.isBlocked) {
      ticket.phase = .paused
      paused.append(ticket)
      return .paused(ticket, ticket.takeResolver(), pause)
    }
    running += 1
    occupy(ticket)
    if case .task(let resume) = ticket.work {
      ticket.work = .none
      return .task(ticket, resume)
    }
    let resolver = ticket.takeResolver()
    // Nothing can come between the turn and the call of an immediate job.
    if case .immediate = ticket.context, case .job(let job, _) = ticket.takeWork() {
      return .immediateJob(ticket, job, resolver)
    }
    return .job(ticket, resolver)
  }

  /// Moves a ticket whose priority has changed to its new place in the queue. If the ticket does not wait, does
  /// nothing.
  mutating func reorder(_ ticket: LimiterTicket) {
    if ticket.phase == .pending { pending.reorder(ticket) }
  }

  /// Takes all waiting tickets out of the queue.
  ///
  /// - Returns: These tickets and those of all unfinished jobs, in the order of the calls.
  mutating func cancelAll() -> [LimiterTicket] {
    cancellations += 1
    var tickets = runningTickets.tickets + paused.tickets
    for ticket in tickets { ticket.isAsked = true }
    tickets.removeAll { !$0.hasPromise }
    while let ticket = pending.popFirst() {
      deadlines.remove(ticket)
      ticket.phase = .over
      tickets.append(ticket)
    }
    return tickets.sorted { $0.order < $1.order }
  }

  /// Takes the tickets out of the queue whose deadlines have passed.
  mutating func takeOverdue(at now: Duration, _ error: PromiseRefusalError) -> [LimiterTicket] {
    var overdue: [LimiterTicket] = []
    while let ticket = deadlines.overdue(at: now) {
      _ = leave(ticket)
      ticket.error = error
      overdue.append(ticket)
    }
    return overdue
  }
}

/// What follows after a job or a task has entered the queue.
enum LimiterEntrance {
  /// It waits.
  case waits
  /// A place is free, so a turn may be granted.
  case mayStart
  /// A place is free, and others wait that are about to get their turns.
  case followsOthers
  /// The queue is full.
  case isRefused
}

/// A turn that a limiter grants.
enum LimiterGrant {
  /// A job that is called inside this call.
  case immediateJob(LimiterTicket, LimiterJob, UntypedResolver?)
  case job(LimiterTicket, UntypedResolver?)
  /// The job must wait for its pause first.
  case paused(LimiterTicket, UntypedResolver?, PauseLine)
  case task(LimiterTicket, _ resume: @Sendable () -> Void)
}

/// Tickets in no particular order. Each ticket stores its index.
private struct TicketList {
  private(set) var tickets: [LimiterTicket] = []

  mutating func append(_ ticket: LimiterTicket) {
    ticket.index = tickets.count
    tickets.append(ticket)
  }

  mutating func remove(_ ticket: LimiterTicket) {
    guard let index = ticket.index else { return }
    ticket.index = nil
    let last = tickets.removeLast()
    if last !== ticket {
      tickets[index] = last
      last.index = index
    }
  }
}
