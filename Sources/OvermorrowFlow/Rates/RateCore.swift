internal import Overmorrow
internal import OvermorrowEngine

/// The buckets of a rate limiter, and the clock that measures the rate.
@usableFromInline
final class RateCore: Sendable {
  typealias Entry = KeyedBuckets.Entry

  let settings: TokenBucket.Settings
  let clock: any Clock<Duration>
  private let stopwatch: Stopwatch
  private let buckets: Guarded<KeyedBuckets>

  /// - Parameter capacity: The largest number of buckets with a key.
  init(_ settings: TokenBucket.Settings, clock: any Clock<Duration>, capacity: Int) {
    self.settings = settings
    self.clock = clock
    stopwatch = Stopwatch(clock)
    buckets = Guarded(KeyedBuckets(capacity: capacity))
  }

  /// The number of buckets with a key.
  var keyCount: Int { buckets.withLock { $0.count } }

  /// Returns the number of tokens in a bucket, and the time for which a call would wait for a token.
  func content(of entry: Entry) -> (tokens: Int, wait: Duration) {
    let now = stopwatch.elapsed
    return buckets.withLock { _ in entry.bucket.content(at: now, settings) }
  }

  /// Takes a token from the bucket of a hash.
  private func take(_ hash: Int) -> (turn: TokenBucket.Turn, entry: Entry) {
    let now = stopwatch.elapsed
    let (turn, entry, observer) = buckets.withLock { buckets in
      let (turn, entry) = buckets.take(hash, at: now, settings)
      return (turn, entry, buckets.observer)
    }
    observer?(turn.event)
    return (turn, entry)
  }

  /// Takes a token from a bucket without a key.
  private func take(from entry: Entry) -> TokenBucket.Turn {
    let now = stopwatch.elapsed
    let (turn, observer) = buckets.withLock { (entry.bucket.take(at: now, settings), $0.observer) }
    observer?(turn.event)
    return turn
  }

  /// Begins a call of `run` that takes its token from a bucket without a key.
  func begin(in entry: Entry) -> RateTurn { RateTurn(of: self, in: entry, take(from: entry)) }

  /// Begins a call of `run` that takes its token from the bucket of a hash.
  @usableFromInline
  func begin(_ hash: Int) -> RateTurn {
    let (turn, entry) = take(hash)
    return RateTurn(of: self, in: entry, turn)
  }

  /// Begins a call of the current task. Returns its turn; `nil` if the call has its token, so that such a call does not
  /// retain this object and its bucket. Throws if the task is cancelled.
  func beginInTask(in entry: Entry) throws -> RateTurn? {
    try Task.checkCancellation()
    let turn = take(from: entry)
    return turn.isAdmitted ? nil : RateTurn(of: self, in: entry, turn)
  }

  /// Does the same as ``beginInTask(in:)`` with the bucket of a hash.
  @usableFromInline
  func beginInTask(_ hash: Int) throws -> RateTurn? {
    try Task.checkCancellation()
    let (turn, entry) = take(hash)
    return turn.isAdmitted ? nil : RateTurn(of: self, in: entry, turn)
  }

  /// Puts back the token of a call that does not begin.
  func giveBack(_ ticket: RateTicket?, to entry: Entry) {
    if let ticket, let begin = endWait(ticket, in: entry) { return withExtendedLifetime(begin) {} }
    buckets.withLock { $0.giveBack(ticket, to: entry, settings) }?.cancel()
    setTimer(of: entry)
  }

  /// Sets the closure that begins a call. The closure is called when the call has its token.
  func wait(_ ticket: RateTicket, in entry: Entry, _ begin: @escaping @Sendable () -> Void) {
    let isOver = buckets.withLock { _ in
      if ticket.isWaiting { ticket.begin = begin }
      return !ticket.isWaiting
    }
    if isOver { begin() }
    setTimer(of: entry)
  }

  /// Ends the wait of a call, and puts its token back.
  ///
  /// - Returns: The closure that begins the call, which does nothing if it is not known yet; `nil` if the call does not
  ///   wait.
  func endWait(_ ticket: RateTicket, in entry: Entry) -> (@Sendable () -> Void)? {
    let ended = buckets.withLock { buckets -> (begin: (@Sendable () -> Void)?, timer: Timer?, FlowObserver?)? in
      guard ticket.isWaiting else { return nil }
      return (ticket.begin.take(), buckets.giveBack(ticket, to: entry, settings), buckets.observer)
    }
    guard let (begin, timer, observer) = ended else { return nil }
    timer?.cancel()
    observer?(.leaves)
    return begin ?? {}
  }

  /// Sets an observer of the calls that are admitted, wait and are refused, for a metrics library.
  func observe(_ observer: @escaping FlowObserver) { buckets.withLock { $0.observer = observer } }

  /// Returns whether a call has its token.
  func isReady(_ ticket: RateTicket) -> Bool { buckets.withLock { _ in ticket.isReady } }

  /// Sets the timer for the first waiting call of a bucket, if it is not set.
  private func setTimer(of entry: Entry) {
    guard let (turn, number) = buckets.withLock({ _ in entry.bucket.beginArming(settings) }) else { return }
    let timer = Timer(after: turn - stopwatch.elapsed, on: clock) { self.beginReady(in: entry, number) }
    buckets.withLock { _ in entry.bucket.timer.keep(timer, number) }?.cancel()
  }

  /// Begins the calls that have their tokens.
  private func beginReady(in entry: Entry, _ number: Int) {
    let now = stopwatch.elapsed
    let (begins, observer) = buckets.withLock { buckets in
      (entry.bucket.takeReady(at: now, number, settings).map { $0.begin.take() }, buckets.observer)
    }
    for begin in begins {
      observer?(.leaves)
      observer?(.begins)
      begin?()
    }
    // Until now, no other timer was set, so that the calls begin in their order.
    withExtendedLifetime(buckets.withLock { _ in entry.bucket.timer.end(number) }) {}
    setTimer(of: entry)
  }
}

extension TokenBucket.Turn {
  fileprivate var event: FlowEvent {
    switch self {
    case .admitted: .begins
    case .waits: .waits
    case .refused: .refused
    }
  }
}
