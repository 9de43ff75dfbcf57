internal import Overmorrow

/// A token bucket: it holds at most a number of tokens, and gets one token in each interval. A call takes one token. A
/// call may take a token that the bucket does not have yet, and then waits for the token.
///
/// The bucket is one point in time, from which the number of its tokens follows.
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

  enum Turn: Equatable {
    /// The call has a token after a wait. The token is identified by the time at which the bucket will be full.
    case admitted(after: Duration, token: Duration)
    case refused(retryAfter: Duration)
  }

  /// The time at which the bucket is full if no call takes a token.
  private(set) var fullTime = Duration.zero

  /// Takes a token, or refuses the call if the wait would be too long.
  mutating func take(at time: Duration, _ settings: Settings) -> Turn {
    let token = max(fullTime, time) + settings.interval
    let wait = max(token - settings.capacity - time, .zero)
    guard wait <= settings.maxWait else { return .refused(retryAfter: wait - settings.maxWait) }
    fullTime = token
    return .admitted(after: wait, token: token)
  }

  /// Returns the number of tokens in the bucket, and the time for which a call would wait for a token.
  func content(at time: Duration, _ settings: Settings) -> (tokens: Int, wait: Duration) {
    let missing = max(fullTime - time, .zero)
    let tokens = max(settings.capacity - missing, .zero) / settings.interval
    return (
      Int(clamping: Int64(tokens.rounded(.down))), max(missing + settings.interval - settings.capacity, .zero)
    )
  }

  /// Returns the token of a call that was cancelled while it waited. Does nothing if a later call has taken a token,
  /// because that call waits for its own time.
  mutating func giveBack(_ token: Duration, _ settings: Settings) {
    if fullTime == token { fullTime -= settings.interval }
  }
}
