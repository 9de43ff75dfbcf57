internal import Overmorrow

/// The timer of a list of waiting work, which is set for the first entry of the list. The fields are used under the
/// lock of the list. Timers are set and cancelled after unlocking, because a clock is code of the user.
struct ArmedTimer: Sendable {
  private var timer: Timer?
  /// Whether there is a timer, or a thread is setting one.
  private(set) var isArmed = false
  /// The number of timers so far.
  private var count = 0

  /// Begins to set a timer. The timer must not be armed.
  ///
  /// - Returns: The number of the timer.
  mutating func arm() -> Int {
    isArmed = true
    count += 1
    return count
  }

  /// Whether a timer is the one that was armed last, and is still needed. A clock may run the action of a timer late,
  /// when there is a newer timer.
  func isCurrent(_ number: Int) -> Bool { isArmed && number == count }

  /// Keeps a timer that was set. Returns the timer if it is no longer needed.
  mutating func keep(_ timer: Timer, _ number: Int) -> Timer? {
    guard isCurrent(number) else { return timer }
    self.timer = timer
    return nil
  }

  /// Records that a timer has ended.
  ///
  /// - Returns: The timer, to be released after unlocking; `nil` if the timer is no longer needed, or not kept yet.
  mutating func end(_ number: Int) -> Timer? { isCurrent(number) ? disarm() : nil }

  /// Records that nothing waits any more.
  ///
  /// - Returns: The timer to cancel.
  mutating func disarm() -> Timer? {
    isArmed = false
    return timer.take()
  }
}
