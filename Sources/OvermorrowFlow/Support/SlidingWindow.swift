internal import Overmorrow
internal import OvermorrowDiagnostics
internal import OvermorrowEngine

/// The numbers of successes and failures in the latest part of time.
///
/// The window consists of ten slots, and moves by one slot at a time. It therefore covers between nine tenths of its
/// length and its whole length.
struct SlidingWindow: Sendable {
  typealias Counts = (successes: Int, failures: Int)

  private static var slots: Int { 10 }

  private let slot: Duration
  /// The number of the slot that counts now. Slot 0 begins at time zero.
  private var current: Int64 = 0
  /// The place of the counts of that slot, and the time at which the slot ends.
  private var (place, end): (Int, Duration)
  /// The counts of the slots. The place of a slot is the remainder of its number.
  private var counts: [Counts]

  /// Creates a window without counts. The shortest window has ten nanoseconds, and the longest one has 95 years.
  init(_ length: Duration) {
    slot = max(length.asWait / SlidingWindow.slots, .nanoseconds(1))
    counts = Array(repeating: (0, 0), count: SlidingWindow.slots)
    (place, end) = (0, slot)
  }

  /// Returns the nearest valid length of a window. Reports an invalid length.
  static func usable(_ length: Duration, of type: String) -> Duration {
    Diagnostics.replace(length, by: max(length, .nanoseconds(slots)), "\(type).window")
  }

  /// Returns the sums of the slots in the window.
  ///
  /// - Parameter time: The time now. If a later slot has already begun, the window does not move back.
  mutating func sums(at time: Duration) -> Counts {
    move(to: time)
    return counts.reduce((0, 0)) { ($0.successes + $1.successes, $0.failures + $1.failures) }
  }

  /// Adds to the counts of the slot that counts now.
  ///
  /// - Returns: The number of the slot.
  @discardableResult
  mutating func add(successes: Int = 0, failures: Int = 0, at time: Duration) -> Int64 {
    move(to: time)
    counts[place].successes += successes
    counts[place].failures += failures
    return current
  }

  /// Removes a failure that was added to a slot. If the slot is no longer in the window, does nothing.
  mutating func removeFailure(from slot: Int64, at time: Duration) {
    move(to: time)
    if slot > current - Int64(SlidingWindow.slots) { counts[Int(slot % Int64(SlidingWindow.slots))].failures -= 1 }
  }

  mutating func removeAll() { for index in counts.indices { counts[index] = (0, 0) } }

  /// Clears the slots that have begun since the last call.
  private mutating func move(to time: Duration) {
    // Most calls begin and end in one slot, so its number is not computed for each of them.
    if time < end { return }
    let number = number(of: time)
    guard number > current else { return }
    for next in (max(current, number - Int64(SlidingWindow.slots)) + 1)...number {
      counts[Int(next % Int64(SlidingWindow.slots))] = (0, 0)
    }
    current = number
    (place, end) = (Int(number % Int64(SlidingWindow.slots)), slot * (number + 1))
  }

  /// Returns the number of the slot that contains a time.
  private func number(of time: Duration) -> Int64 {
    // The number of a later slot may not fit. After 95 years, the window no longer moves.
    time.asWait.count(of: slot)
  }
}
