/// The order in which a cache evicts its entries.
///
/// As long as there are at most 128 entries, the least recently used one is the next. With more, the order also counts
/// how often keys are asked for (the published name of this design is W-TinyLFU). A value that arrives enters a
/// *window*. When the window is full, its least recently used value leaves it, and is compared with the value that
/// would be evicted next. If it was asked for more often, it is put on *probation*. Otherwise it is *rejected*, and
/// evicted before all others. A value on probation that is used again is *protected*. If too many values are protected,
/// the least recently used one is on probation again.
///
/// A large window suits keys that are asked for several times soon after each other, a small one keys that are always
/// popular. So the window follows the requests. After as many requests as there are entries, two numbers are compared:
/// how many requests one more entry in the window would have served (they were for keys that were rejected a short time
/// ago), and how many one more entry on probation has served.
///
/// All changes take constant time. A weight is 1 or, in the order of the entries with a cost, the cost.
struct CacheOrder {
  /// The number of entries up to which only their last use counts.
  static var exactCount: Int { 128 }
  /// The largest number of entries that one call moves to another list.
  private static var movesPerCall: Int { 2 }

  private var lists: CacheLists
  /// The largest sum of the weights.
  private let limit: Int
  /// Whether the order counts how often keys are asked for.
  private(set) var isCounting = false
  private var sketch = FrequencySketch(entries: 0)
  private var rejections = RecentRejections(entries: 0)
  /// The largest weight of the window.
  private(set) var windowLimit: Int
  // Since the last change of the window:
  private var requests = 0
  private var requestsOfRejected = 0
  private var usesOnProbation = 0

  init(_ kind: CacheLists.Kind, limit: Int) {
    lists = CacheLists(kind)
    self.limit = limit
    windowLimit = limit
  }

  var count: Int { lists.count }

  /// The entry to evict next. A key whose load is in flight comes after all others.
  ///
  /// - Parameter other: An entry that is not to be evicted.
  func victim(otherThan other: CacheLine? = nil) -> CacheLine? {
    for name in [CacheLists.Name.rejected, .probation, .protected, .window, .loading] {
      if let line = lists.oldest(name, otherThan: other) { return line }
    }
    return nil
  }

  private var mainVictim: CacheLine? { lists.oldest(.probation) ?? lists.oldest(.protected) }

  /// Adds the entry of a key that was asked for.
  mutating func insert(_ line: CacheLine) {
    lists.insert(line, into: isCounting && line.isInFlight ? .loading : .window)
    if lists.count > max(sketch.entries, Self.exactCount), sketch.entries < limit, limit > Self.exactCount {
      startCounting()
    }
    guard isCounting else { return }
    if rejections.contains(line.hash) { requestsOfRejected += 1 }
    countRequest(of: line)
    if !line.isInFlight { shrinkWindow() }
  }

  /// Replaces an entry by another one of the same key, which was asked for. The new entry gets its place.
  mutating func replace(_ old: CacheLine, by new: CacheLine) {
    lists.replace(old, by: new)
    touch(new)
    if new.isInFlight { loseValue(new) } else { arrive(new) }
  }

  /// Changes the order after an entry has lost its old value, and has only a load in flight.
  mutating func loseValue(_ line: CacheLine) {
    if isCounting { lists.move(line, to: .loading) }
  }

  /// Changes the order after a request for the key of an entry. Does nothing if the entry is not in the order.
  mutating func touch(_ line: CacheLine) {
    guard isCounting else { return lists.move(line, to: .window) }
    guard let list = lists.list(of: line) else { return }
    countRequest(of: line)
    switch list {
    case .loading, .window: lists.move(line, to: list)
    case .rejected: lists.move(line, to: .probation)
    case .probation, .protected:
      if list == .probation { usesOnProbation += 1 }
      lists.move(line, to: .protected)
      shrinkProtected()
    }
  }

  /// Changes the order after the arrival of the result of an entry.
  mutating func arrive(_ line: CacheLine) {
    guard isCounting, lists.list(of: line) == .loading else { return }
    lists.move(line, to: .window)
    shrinkWindow()
  }

  /// Notes that the weight of an entry changes.
  mutating func changeWeight(of line: CacheLine, by difference: Int) {
    lists.changeWeight(of: line, by: difference)
  }

  /// Removes an entry. Does nothing if the entry is not in the order.
  mutating func remove(_ line: CacheLine) {
    lists.remove(line)
    if lists.count == 0, sketch.entries > 1024 { self = CacheOrder(lists.kind, limit: limit) }
  }

  // MARK: The lists

  /// Moves values that have no room in the window.
  private mutating func shrinkWindow() {
    // The rest of a window that has become much smaller leaves it at the next arrivals.
    for _ in 0..<Self.movesPerCall {
      guard lists.weight(.window) > windowLimit, let candidate = lists.oldest(.window) else { return }
      if isFull(for: candidate), let victim = mainVictim,
        sketch.frequency(of: candidate.hash) <= sketch.frequency(of: victim.hash)
      {
        rejections.add(candidate.hash)
        lists.move(candidate, to: .rejected)
      } else {
        lists.move(candidate, to: .probation)
      }
    }
  }

  /// Whether there is hardly any room left, or none for another entry like this one.
  private func isFull(for line: CacheLine? = nil) -> Bool {
    lists.weight > limit - max(limit / 64, line.map { lists.weight(of: $0) } ?? 0)
  }

  private mutating func shrinkProtected() {
    let protectedLimit = (limit - windowLimit) / 10 * 9
    for _ in 0..<Self.movesPerCall {
      guard lists.weight(.protected) > protectedLimit, let oldest = lists.oldest(.protected) else { return }
      lists.move(oldest, to: .probation)
    }
  }

  // MARK: The window

  /// Begins to count, or counts anew for more entries. The work is linear in their number, which has doubled.
  private mutating func startCounting() {
    if !isCounting {
      isCounting = true
      windowLimit = max(limit / 100, 1)
      for line in lists.all(.window) where line.isInFlight { lists.move(line, to: .loading) }
    }
    // From a quarter of the limit on, a table of the full size, so that no counts are lost when the cache is nearly
    // full.
    let entries = lists.count >= limit / 4 ? limit : 2 * lists.count
    sketch = FrequencySketch(entries: entries)
    rejections = RecentRejections(entries: entries / 10)
  }

  private mutating func countRequest(of line: CacheLine) {
    sketch.add(line.hash)
    requests += 1
    if requests >= lists.count { adaptWindow() }
  }

  /// Changes the limit of the window by at most a twentieth of the limit of the order.
  private mutating func adaptWindow() {
    // The values of one entry in each list. The factor prefers the window, because what leaves it is lost.
    let window = Double(requestsOfRejected) / Double(rejections.entries)
    let probation = 0.6 * Double(usesOnProbation) / Double(max(lists.count(.probation), 1))
    (requests, requestsOfRejected, usesOnProbation) = (0, 0, 0)
    guard isFull(), window + probation > 0 else { return }
    let step = (window - probation) / (window + probation) * 0.05 * Double(limit)
    windowLimit = min(max(windowLimit + Int(step), 1), limit / 10 * 9)
  }
}
