internal import Overmorrow
internal import OvermorrowEngine

/// The deadlines of the waiting tickets of a limiter with a longest wait, in their order, which is the order of
/// arrival.
///
/// The entry of a ticket that has left the queue stays in this list, without the ticket, until the entry is first, or
/// until the list is swept. The list is swept when more than half of the tickets have left.
package struct LimiterDeadlines: Sendable {
  private var entries = Queue<LimiterDeadline>()
  /// The first entry, after it was taken out of the list.
  private var first: LimiterDeadline?
  /// The timer for the first deadline.
  var timer = ArmedTimer()

  /// Adds a ticket that has just entered the queue.
  ///
  /// - Parameter count: The number of tickets in the queue.
  mutating func append(_ ticket: LimiterTicket, _ time: Duration, among count: Int) {
    if entries.count > 32, entries.count > 2 * count { sweep() }
    let deadline = LimiterDeadline(ticket, time)
    ticket.deadline = deadline
    entries.append(deadline)
  }

  /// Removes a ticket that leaves the queue.
  func remove(_ ticket: LimiterTicket) {
    ticket.deadline?.ticket = nil
    ticket.deadline = nil
  }

  private mutating func sweep() {
    var kept = Queue<LimiterDeadline>()
    while let entry = entries.popFirst() {
      if entry.ticket != nil { kept.append(entry) }
    }
    entries = kept
  }

  /// The first deadline; `nil` if nothing waits.
  private mutating func next() -> LimiterDeadline? {
    while first?.ticket == nil, let next = entries.popFirst() { first = next }
    if first?.ticket == nil { first = nil }
    return first
  }

  /// The first ticket, if its deadline has passed.
  mutating func overdue(at now: Duration) -> LimiterTicket? {
    guard let next = next(), next.time <= now else { return nil }
    return next.ticket
  }

  /// Begins to set a timer, if one is needed.
  ///
  /// - Returns: The time at which the timer ends, and its number.
  mutating func beginArming() -> (time: Duration, number: Int)? {
    guard !timer.isArmed, let next = next() else { return nil }
    return (next.time, timer.arm())
  }
}

/// The deadline of a ticket. The ticket is `nil` after it has left the queue.
final class LimiterDeadline: @unchecked Sendable {
  // Sendable: only used under the lock of the limiter.
  fileprivate(set) var ticket: LimiterTicket?
  fileprivate let time: Duration

  fileprivate init(_ ticket: LimiterTicket, _ time: Duration) {
    self.ticket = ticket
    self.time = time
  }
}
