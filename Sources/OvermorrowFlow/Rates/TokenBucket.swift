internal import Overmorrow
internal import OvermorrowEngine

/// A token bucket: it holds at most a number of tokens, and gets one token in each interval. A call takes one token. A
/// call may take a token that the bucket does not have yet, and then waits for the token.
///
/// The bucket is one point in time, from which the number of its tokens follows, and the waiting calls, from whose
/// number and order their times follow. If a waiting call gives its token back, the calls behind it therefore move
/// forward by one interval each, and the time of the first call stays the same.
struct TokenBucket: Sendable {
  struct Settings: Sendable {
    /// The time in which the bucket gets one token.
    let interval: Duration
    /// The time in which an empty bucket becomes full.
    let capacity: Duration
    /// The longest time for which a call waits for its token.
    let maxWait: Duration

    init(_ count: Int, per duration: Duration, burst: Int, maxWait: Duration) {
      interval = max(duration.asWait / count, .nanoseconds(1))
      // A product that `Duration` cannot represent would trap.
      let isShort = Double(burst) * (interval / .seconds(1)) < Duration.longestWait / .seconds(1)
      capacity = isShort ? interval * burst : .longestWait
      self.maxWait = maxWait.asWait
    }
  }

  enum Turn: Sendable {
    case admitted
    /// The call has taken a token that the bucket does not have yet.
    case waits(RateTicket)
    case refused(retryAfter: Duration)

    var isAdmitted: Bool { if case .admitted = self { true } else { false } }
  }

  /// The time at which the bucket is full if no call takes or returns a token.
  private(set) var fullTime = Duration.zero
  /// The calls that wait for their tokens, in the order of the calls.
  private var waiting = IndexedHeap<RateTicket>()
  /// The timer for the turn of the first waiting call.
  var timer = ArmedTimer()

  /// Takes a token, or refuses the call if the wait would be too long.
  mutating func take(at time: Duration, _ settings: Settings) -> Turn {
    let token = max(fullTime, time) + settings.interval
    // A call does not overtake others whose timer is late.
    if token <= time + settings.capacity, waiting.count == 0 {
      fullTime = token
      return .admitted
    }
    let wait = max(token - settings.capacity - time, .zero)
    guard wait <= settings.maxWait else { return .refused(retryAfter: wait - settings.maxWait) }
    fullTime = token
    let ticket = RateTicket()
    waiting.insert(ticket)
    return .waits(ticket)
  }

  /// Returns the number of tokens in the bucket, and the time for which a call would wait for a token.
  func content(at time: Duration, _ settings: Settings) -> (tokens: Int, wait: Duration) {
    let missing = max(fullTime - time, .zero)
    return (
      Int(clamping: max(settings.capacity - missing, .zero).count(of: settings.interval)),
      max(missing + settings.interval - settings.capacity, .zero)
    )
  }

  /// Puts back the token of a call that does not begin. A full bucket gets no token.
  ///
  /// - Parameter ticket: The ticket of the call; `nil` if it was admitted at once.
  /// - Returns: A timer to cancel, which is set for a later time than the turn of the first waiting call, or for which
  ///   nothing waits.
  mutating func giveBack(_ ticket: RateTicket?, _ settings: Settings) -> Timer? {
    fullTime -= settings.interval
    guard let ticket, ticket.isWaiting else { return timer.disarm() }
    waiting.remove(ticket)
    return waiting.count == 0 ? timer.disarm() : nil
  }

  /// The time at which the first waiting call has its token.
  private func firstTurn(_ settings: Settings) -> Duration {
    fullTime - settings.capacity - settings.interval * (waiting.count - 1)
  }

  /// Begins to set a timer, if one is needed.
  ///
  /// - Returns: The time at which the timer ends, and its number.
  mutating func beginArming(_ settings: Settings) -> (time: Duration, number: Int)? {
    timer.isArmed || waiting.count == 0 ? nil : (firstTurn(settings), timer.arm())
  }

  /// Takes the calls out that have their tokens.
  ///
  /// - Parameter number: The number of the timer that has ended. The first call has its token even if the clock says
  ///   otherwise, because a clock whose `sleep` throws cannot measure the time.
  mutating func takeReady(at time: Duration, _ number: Int, _ settings: Settings) -> [RateTicket] {
    guard timer.isCurrent(number), let first = waiting.popFirst() else { return [] }
    var ready = [first]
    while waiting.count > 0, firstTurn(settings) <= time, let next = waiting.popFirst() { ready.append(next) }
    for ticket in ready { ticket.isReady = true }
    return ready
  }
}

/// A call that waits for its token.
final class RateTicket: IndexedHeapEntry, @unchecked Sendable {
  // Sendable: the fields are only used under the lock of the limiter.
  var index: Int?
  var number: UInt64 = 0
  /// Whether the call has its token.
  fileprivate(set) var isReady = false
  /// The closure that begins the call; `nil` if the call has begun, or if the closure is not known yet.
  var begin: (@Sendable () -> Void)?

  var isWaiting: Bool { index != nil }
}
