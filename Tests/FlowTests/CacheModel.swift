/// A sequential model of a cache whose costs are its values. It describes each call by its effect on a dictionary and
/// two lists.
///
/// Every load runs inside the call that starts it, and returns a promise that is resolved already or later.
struct CacheModel {
  /// The settings of a cache. Times are whole seconds. `nil` means no limit.
  struct Settings {
    var capacity: Int?
    var costLimit: Int?
    var timeToLive: Int?
    var failureTimeToLive: Int?
    var staleTimeToLive: Int?
    var softTimeout = 0

    /// The time for which a value may be served, counted from its arrival.
    var servingTime: Int? { timeToLive.flatMap { fresh in staleTimeToLive.map { fresh + $0 } } }
  }

  enum Outcome: Equatable {
    case value(Int)
    case error
    case cancelled
  }

  /// A value in the cache, and the time of its arrival.
  struct Kept: Equatable {
    var value: Int
    var arrival: Int
  }

  enum Content: Equatable {
    case load(Int)
    case kept(Kept)
    case error(arrival: Int)
  }

  struct Entry: Equatable {
    var content: Content
    /// The old value, which may be served while there is no newer one.
    var stale: Kept?
    /// The cost of the value in the entry.
    var cost = 0
  }

  /// What a caller gets.
  enum Answer: Equatable {
    case outcome(Outcome)
    case load(Int)
    /// The caller has found a stale value, and waits for a load with a soft timeout.
    case wait(Int)
  }

  struct Load {
    var key: Int
    var start: Int
    var votes = 0
    /// Whether a caller has withdrawn its vote.
    var hasAsker = false
    var wasAsked = false
    var outcome: Outcome?
    /// The wait of the callers that have found a stale value: whether it goes on, and the number of its callers. It has
    /// one vote.
    var isAwaited = false
    var waiters = 0
    /// The end of the wait: an outcome, or the load itself.
    var answer: Answer?
  }

  let settings: Settings
  private(set) var now = 0
  private(set) var entries: [Int: Entry] = [:]
  private(set) var loads: [Load] = []
  private(set) var counters = (hits: 0, misses: 0, loads: 0, failures: 0)
  /// The keys in the order of their use, and those with a cost; the least recently used key first.
  private var (order, costly): ([Int], [Int]) = ([], [])

  init(_ settings: Settings) { self.settings = settings }

  var totalCost: Int { entries.values.reduce(0) { $0 + $1.cost } }

  // MARK: Calls

  /// Asks for a key. If the call starts a load, the load has an outcome at once, or none yet.
  mutating func ask(_ key: Int, _ outcome: Outcome?) -> Answer {
    let stale = servable(key)
    switch entries[key]?.content {
    case .kept(let kept)? where isFresh(kept.arrival, settings.timeToLive):
      return hit(key, .outcome(.value(kept.value)))
    case .load(let load)?:
      if stale != nil, loads[load].isAwaited {
        loads[load].waiters += 1
        return hit(key, .wait(load))
      }
      if let stale { return hit(key, .outcome(.value(stale.value))) }
      loads[load].votes += 1
      return hit(key, .load(load))
    case .error(let arrival)? where isFresh(arrival, settings.failureTimeToLive):
      return hit(key, .outcome(stale.map { .value($0.value) } ?? .error))
    default: break
    }
    if stale == nil { counters.misses += 1 } else { counters.hits += 1 }
    counters.loads += 1
    let load = loads.count
    let isAwaited = stale != nil && settings.softTimeout > 0
    loads.append(Load(key: key, start: now, votes: stale == nil || isAwaited ? 1 : 0, isAwaited: isAwaited))
    if isAwaited { loads[load].waiters = 1 }
    insert(key, Entry(content: .load(load), stale: stale, cost: stale == nil ? 0 : entries[key]?.cost ?? 0))
    if let outcome { end(load, outcome) }
    if isAwaited { return .wait(load) }
    return stale.map { .outcome(.value($0.value)) } ?? .load(load)
  }

  /// Ends a load. Its result is kept only if the load is still in the cache.
  mutating func end(_ load: Int, _ outcome: Outcome) {
    loads[load].outcome = outcome
    if outcome == .error, !loads[load].wasAsked { counters.failures += 1 }
    let key = loads[load].key
    guard entries[key]?.content == .load(load) else { return endWait(load, .outcome(outcome)) }
    let stale = servable(key).map { Outcome.value($0.value) }
    switch outcome {
    case .value: endWait(load, .outcome(outcome))
    default: endWait(load, .outcome(stale ?? outcome))
    }
    switch outcome {
    case .value(let value): keep(value, for: key)
    case .error where settings.failureTimeToLive.map({ $0 > 0 }) != false:
      entries[key]?.content = .error(arrival: now)
    default: drop(key)
    }
  }

  /// Withdraws the vote of a caller.
  mutating func withdraw(from load: Int) {
    loads[load].hasAsker = true
    removeVote(from: load)
  }

  /// Removes a vote. If the last voters have all asked to cancel, the load is asked to cancel.
  private mutating func removeVote(from load: Int) {
    guard loads[load].outcome == nil else { return }
    loads[load].votes -= 1
    guard loads[load].votes == 0, loads[load].hasAsker else { return }
    loads[load].wasAsked = true
    if entries[loads[load].key]?.content == .load(load) { drop(loads[load].key) }
  }

  /// Removes a caller that waits for a load with a soft timeout.
  mutating func leaveWait(for load: Int) {
    loads[load].waiters -= 1
    if loads[load].waiters == 0, loads[load].answer == .load(load) { withdraw(from: load) }
  }

  /// Ends the wait for a load with a soft timeout.
  private mutating func endWait(_ load: Int, _ answer: Answer) {
    guard loads[load].isAwaited else { return }
    loads[load].isAwaited = false
    loads[load].answer = answer
    if answer != .load(load) { removeVote(from: load) } else if loads[load].waiters == 0 { withdraw(from: load) }
  }

  mutating func set(_ value: Int, for key: Int) {
    if case .load(let load)? = entries[key]?.content {
      discard(key)
      endWait(load, .outcome(.value(value)))
    }
    guard mayKeep(value) else { return remove(key) }
    insert(key, Entry(content: .kept(Kept(value: value, arrival: now))))
    keep(value, for: key)
  }

  mutating func remove(_ key: Int) {
    let content = entries[key]?.content
    discard(key)
    if case .load(let load)? = content { endWait(load, .load(load)) }
  }

  private mutating func discard(_ key: Int) {
    entries[key] = nil
    order.removeAll { $0 == key }
    costly.removeAll { $0 == key }
  }

  func peek(_ key: Int) -> Outcome? {
    if let kept = servable(key) { return .value(kept.value) }
    guard case .error(let arrival)? = entries[key]?.content else { return nil }
    return isFresh(arrival, settings.failureTimeToLive) ? .error : nil
  }

  /// Advances the time to the next second, and ends the soft timeouts and then the lifetimes that end then, in the
  /// order of the keys.
  ///
  /// - Returns: The keys whose soft timeouts have ended.
  mutating func tick() -> [Int] {
    now += 1
    var waits: [Int] = []
    for key in entries.keys.sorted() {
      guard case .load(let load)? = entries[key]?.content, loads[load].isAwaited,
        now - loads[load].start == settings.softTimeout
      else { continue }
      waits.append(key)
      endWait(load, servable(key).map { .outcome(.value($0.value)) } ?? .load(load))
    }
    for key in entries.keys.sorted() {
      switch entries[key]?.content {
      case .kept(let kept)? where !isFresh(kept.arrival, settings.servingTime): remove(key)
      case .error(let arrival)? where !isFresh(arrival, settings.failureTimeToLive): drop(key)
      default: break
      }
      if let stale = entries[key]?.stale, !isFresh(stale.arrival, settings.servingTime) {
        entries[key]?.stale = nil
        setCost(of: key, 0)
      }
    }
    return waits
  }

  /// What the callers get that wait for a load with a soft timeout; `nil` while they wait.
  func outcome(ofWaitFor load: Int) -> Outcome? {
    switch loads[load].answer {
    case .outcome(let outcome)?: outcome
    case .load?: loads[load].outcome
    default: nil
    }
  }

  // MARK: Changes

  private func isFresh(_ arrival: Int, _ lifetime: Int?) -> Bool { lifetime.map { now - arrival < $0 } != false }

  private func mayKeep(_ cost: Int) -> Bool { settings.costLimit.map { cost <= $0 } != false }

  /// Returns the value of a key that may be served, fresh or stale.
  private func servable(_ key: Int) -> Kept? {
    var candidate = entries[key]?.stale
    if case .kept(let kept)? = entries[key]?.content { candidate = kept }
    return candidate.flatMap { isFresh($0.arrival, settings.servingTime) ? $0 : nil }
  }

  private mutating func hit(_ key: Int, _ answer: Answer) -> Answer {
    counters.hits += 1
    use(key)
    return answer
  }

  private mutating func use(_ key: Int) {
    if let index = order.firstIndex(of: key) { order.append(order.remove(at: index)) }
    if let index = costly.firstIndex(of: key) { costly.append(costly.remove(at: index)) }
  }

  /// Puts an entry in the place of another one, as the most recently used entry.
  private mutating func insert(_ key: Int, _ entry: Entry) {
    discard(key)
    entries[key] = entry
    order.append(key)
    if entry.cost > 0 { costly.append(key) }
    if let capacity = settings.capacity, order.count > capacity { remove(order[0]) }
  }

  private mutating func keep(_ value: Int, for key: Int) {
    guard mayKeep(value), settings.servingTime.map({ $0 > 0 }) != false else { return remove(key) }
    entries[key]?.content = .kept(Kept(value: value, arrival: now))
    entries[key]?.stale = nil
    guard let limit = settings.costLimit else { return }
    use(key)
    while totalCost - (entries[key]?.cost ?? 0) + value > limit { removeValue(of: costly[0]) }
    setCost(of: key, value)
  }

  /// Removes the value of a key. A load or an error that has a stale value stays.
  private mutating func removeValue(of key: Int) {
    guard entries[key]?.stale != nil else { return remove(key) }
    entries[key]?.stale = nil
    setCost(of: key, 0)
  }

  private mutating func setCost(of key: Int, _ cost: Int) {
    guard settings.costLimit != nil else { return }
    entries[key]?.cost = cost
    if cost == 0 { costly.removeAll { $0 == key } } else if !costly.contains(key) { costly.append(key) }
  }

  /// Removes an entry, or puts its old value in its place if that value may still be served.
  private mutating func drop(_ key: Int) {
    guard case .some(let stale) = servable(key), entries[key]?.stale == stale else { return remove(key) }
    insert(key, Entry(content: .kept(stale), cost: entries[key]?.cost ?? 0))
  }
}
