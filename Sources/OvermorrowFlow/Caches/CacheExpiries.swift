internal import Overmorrow

/// The entries of a cache whose results have a lifetime, in the order of its end, and one timer for the earliest end.
///
/// An entry is here from the arrival of its result until its lifetime has ended or it has left the cache. The timer may
/// be early: if the entry that it was set for has left, the timer finds nothing to do, and is set again.
///
/// The methods only change this list, and the cache calls them under its lock. The cache makes and cancels timers
/// without the lock, because a clock may be code of the user.
struct CacheExpiries: Sendable {
  /// A time for which a timer is to be set.
  struct Alarm: Sendable {
    let time: Duration
    /// The number of the alarm. Only the latest alarm counts.
    fileprivate let number: Int
    /// A timer that the new one replaces.
    var replaced: Timer?
  }

  /// The largest number of entries that one call of ``takeDue(_:at:)`` returns.
  static var mostDue: Int { 64 }

  private var heap = IndexedHeap<CacheLine>()
  /// The time for which the timer is set, or is about to be set; `nil` if there is no timer.
  private var alarm: Duration?
  private var number = 0
  private(set) var timer: Timer?

  // MARK: Entries

  /// Adds an entry. Returns the alarm to set; `nil` if there is an alarm that is early enough.
  mutating func insert(_ line: CacheLine, at end: Duration) -> Alarm? {
    guard line.index == nil else { return nil }
    line.end = end
    heap.insert(line)
    return alarm.map { $0 <= end } == true ? nil : nextAlarm()
  }

  /// Removes an entry. Does nothing if the entry is not here.
  mutating func remove(_ line: CacheLine) { heap.remove(line) }

  /// Removes an entry that leaves the cache, and its old value, unless a new entry serves them.
  mutating func replace(_ old: CacheLine, by new: CacheLine?) {
    if heap.count == 0 { return }
    if new == nil || new?.previous !== old { remove(old) }
    if let previous = old.previous, previous !== new, previous !== new?.previous { remove(previous) }
  }

  /// Takes out at most ``mostDue`` entries whose lifetimes have ended.
  ///
  /// - Parameter alarm: The alarm whose timer has fired. Even if the clock does not say so yet, its time has come.
  /// - Returns: The entries, the last one first; the alarm to set next; and the timer that has fired. There is no next
  ///   alarm if no entry is left, or if the alarm is not the latest one. Nor is there one if there are ``mostDue``
  ///   entries, because more may be due.
  mutating func takeDue(_ alarm: Alarm, at now: Duration) -> (lines: [CacheLine], next: Alarm?, fired: Timer?) {
    guard alarm.number == number, self.alarm != nil else { return ([], nil, nil) }
    let time = max(now, alarm.time)
    var due: [CacheLine] = []
    while let first = heap.first, first.end <= time {
      if due.count == Self.mostDue { return (due.reversed(), nil, nil) }
      heap.remove(first)
      due.append(first)
    }
    let fired = stop()
    return (due.reversed(), nextAlarm(), fired)
  }

  // MARK: The timer

  /// Keeps the timer of an alarm. Returns the timer if a later alarm has replaced this one.
  mutating func keep(_ timer: Timer, of alarm: Alarm) -> Timer? {
    guard alarm.number == number, self.alarm != nil, self.timer == nil else { return timer }
    self.timer = timer
    return nil
  }

  /// If no entry is left, takes the timer out.
  mutating func takeIdleTimer() -> Timer? {
    guard alarm != nil, heap.count == 0 else { return nil }
    return stop()
  }

  /// Ends the present alarm, and takes its timer out.
  mutating func stop() -> Timer? {
    number += 1
    alarm = nil
    return timer.take()
  }

  /// An empty list for the same cache, for which earlier alarms do not count.
  var successor: CacheExpiries {
    var successor = CacheExpiries()
    successor.number = number + 1
    return successor
  }

  /// Makes the alarm for the earliest end; `nil` if there is no entry.
  private mutating func nextAlarm() -> Alarm? {
    guard let first = heap.first else { return nil }
    let replaced = stop()
    alarm = first.end
    return Alarm(time: first.end, number: number, replaced: replaced)
  }
}
