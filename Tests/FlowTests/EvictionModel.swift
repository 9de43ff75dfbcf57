@testable import OvermorrowFlow

/// A sequential model of the order in which a cache evicts its entries: arrays, which it searches.
struct EvictionModel {
  typealias Name = CacheLists.Name

  struct Entry: Equatable {
    let key: Int
    var weight: Int
    var hasValue: Bool
    var list: Name
  }

  let limit: Int
  /// All entries, those that were used least recently first.
  private(set) var entries: [Entry] = []
  private(set) var isCounting = false
  private(set) var windowLimit: Int
  private var sketch = FrequencySketch(entries: 0)
  private var rejections = RecentRejections(entries: 0)
  private var (requests, requestsOfRejected, usesOnProbation) = (0, 0, 0)
  let hash: (Int) -> Int

  init(limit: Int, hash: @escaping (Int) -> Int) {
    (self.limit, self.hash) = (limit, hash)
    windowLimit = limit
  }

  /// The sum of the weights in a list, or in all.
  func weight(_ list: Name? = nil) -> Int {
    var sum = 0
    for entry in entries where list == nil || entry.list == list { sum += entry.weight }
    return sum
  }

  private func oldest(_ lists: Name...) -> Int? {
    lists.lazy.compactMap { list in entries.first { $0.list == list }?.key }.first
  }

  var victim: Int? { oldest(.rejected, .probation, .protected, .window, .loading) }

  func contains(_ key: Int) -> Bool { entries.contains { $0.key == key } }

  private mutating func move(_ key: Int, to list: Name) {
    guard let index = entries.firstIndex(where: { $0.key == key }) else { return }
    var entry = entries.remove(at: index)
    entry.list = list
    entries.append(entry)
  }

  mutating func insert(_ key: Int, weight: Int, hasValue: Bool) {
    entries.append(
      Entry(key: key, weight: weight, hasValue: hasValue, list: isCounting && !hasValue ? .loading : .window))
    if entries.count > 128, entries.count > sketch.entries, sketch.entries < limit, limit > 128 {
      if !isCounting {
        (isCounting, windowLimit) = (true, max(limit / 100, 1))
        for entry in entries where !entry.hasValue { move(entry.key, to: .loading) }
      }
      sketch = FrequencySketch(entries: entries.count >= limit / 4 ? limit : 2 * entries.count)
      rejections = RecentRejections(entries: sketch.entries / 10)
    }
    guard isCounting else { return }
    if rejections.contains(hash(key)) { requestsOfRejected += 1 }
    countRequest(of: key)
    if hasValue { shrinkWindow() }
  }

  mutating func touch(_ key: Int) {
    guard let list = entries.first(where: { $0.key == key })?.list else { return }
    guard isCounting else { return move(key, to: .window) }
    countRequest(of: key)
    switch list {
    case .loading, .window: move(key, to: list)
    case .rejected: move(key, to: .probation)
    case .probation, .protected:
      if list == .probation { usesOnProbation += 1 }
      move(key, to: .protected)
      for _ in 0..<2 where weight(.protected) > (limit - windowLimit) / 10 * 9 {
        if let key = oldest(.protected) { move(key, to: .probation) }
      }
    }
  }

  mutating func arrive(_ key: Int) {
    guard let index = entries.firstIndex(where: { $0.key == key }) else { return }
    entries[index].hasValue = true
    guard isCounting, entries[index].list == .loading else { return }
    move(key, to: .window)
    shrinkWindow()
  }

  /// Replaces an entry by one with the same key.
  mutating func replace(_ key: Int, weight: Int, hasValue: Bool) {
    guard let index = entries.firstIndex(where: { $0.key == key }) else { return }
    (entries[index].weight, entries[index].hasValue) = (weight, hasValue)
    touch(key)
    if hasValue { arrive(key) } else if isCounting { move(key, to: .loading) }
  }

  mutating func changeWeight(of key: Int, to weight: Int) {
    if let index = entries.firstIndex(where: { $0.key == key }) { entries[index].weight = weight }
  }

  mutating func remove(_ key: Int) {
    entries.removeAll { $0.key == key }
    if entries.isEmpty, sketch.entries > 1024 { self = EvictionModel(limit: limit, hash: hash) }
  }

  private mutating func shrinkWindow() {
    for _ in 0..<2 {
      guard weight(.window) > windowLimit, let candidate = oldest(.window) else { return }
      let isFull = weight() + max(limit / 64, entries.first { $0.key == candidate }?.weight ?? 0) > limit
      if isFull, let victim = oldest(.probation, .protected),
        sketch.frequency(of: hash(candidate)) <= sketch.frequency(of: hash(victim))
      {
        rejections.add(hash(candidate))
        move(candidate, to: .rejected)
      } else {
        move(candidate, to: .probation)
      }
    }
  }

  /// Counts a request. After as many as there are entries, changes the window.
  private mutating func countRequest(of key: Int) {
    sketch.add(hash(key))
    requests += 1
    guard requests >= entries.count else { return }
    let window = Double(requestsOfRejected) / Double(rejections.entries)
    let onProbation = entries.count { $0.list == .probation }
    let probation = 0.6 * Double(usesOnProbation) / Double(max(onProbation, 1))
    (requests, requestsOfRejected, usesOnProbation) = (0, 0, 0)
    guard weight() + limit / 64 > limit, window + probation > 0 else { return }
    let step = Int((window - probation) / (window + probation) * 0.05 * Double(limit))
    windowLimit = min(max(windowLimit + step, 1), limit / 10 * 9)
  }
}
