import Testing

@testable import Overmorrow
@testable import OvermorrowFlow

/// Which keys a cache with more than 128 entries evicts.
@Suite(.inTurn) struct CacheEvictionTests {
  private typealias Cache = PromiseCache<Int, Int, Never>

  private func ask(_ cache: Cache, _ key: Int) {
    _ = cache.promise(for: key, on: .immediate) { Promise(fulfilled: $0) }
  }

  // MARK: The order

  @Test("14.12 14.23 in random programs, the order evicts the same entries as lists", arguments: [false, true])
  func randomPrograms(hasWeights: Bool) {
    var generator = SeededGenerator(seed: hasWeights ? 2 : 1)
    for round in 0..<scaled(100_000) / 2000 {
      var random = SeededGenerator(seed: UInt64(round))
      let hashes = (0..<1000).map { _ in Int.random(in: .min ... .max, using: &random) }
      let limit = Int.random(in: 100..<400, using: &generator) * (hasWeights ? 10 : 1)
      var order = CacheOrder(hasWeights ? .costly : .all, limit: limit)
      var (model, lines) = (EvictionModel(limit: limit, hash: { hashes[$0] }), [Int: CacheLine]())
      let popular = Int.random(in: 50..<1000, using: &generator)
      for step in 0..<2000 {
        let isPopular = Int.random(in: 0..<3, using: &generator) > 0
        let key = Int.random(in: 0..<(isPopular ? popular : 1000), using: &generator)
        if let line = lines[key] {
          switch Int.random(in: 0..<40, using: &generator) {
          case 0:
            order.remove(line)
            model.remove(key)
            lines[key] = nil
          case 1..<8:
            line.hasValue = true
            order.arrive(line)
            model.arrive(key)
          case 8..<12:
            let new = CacheLine(hash: hashes[key], nil, after: nil, nil)
            (new.cost, new.hasValue) = (line.cost, Bool.random(using: &generator))
            order.replace(line, by: new)
            model.replace(key, weight: hasWeights ? new.cost : 1, hasValue: new.hasValue)
            lines[key] = new
          case 12 where hasWeights:
            let cost = Int.random(in: 1..<20, using: &generator)
            order.changeWeight(of: line, by: cost - line.cost)
            line.cost = cost
            model.changeWeight(of: key, to: cost)
          default:
            order.touch(line)
            model.touch(key)
          }
        } else {
          let line = CacheLine(hash: hashes[key], nil, after: nil, nil)
          line.cost = Int.random(in: 1..<20, using: &generator)
          line.hasValue = Bool.random(using: &generator)
          order.insert(line)
          model.insert(key, weight: hasWeights ? line.cost : 1, hasValue: line.hasValue)
          lines[key] = line
        }
        while model.weight() > limit, let victim = model.victim {
          guard let line = order.victim(), line === lines[victim] else {
            Issue.record("round \(round), step \(step): the order evicts another entry than \(victim)")
            return
          }
          order.remove(line)
          model.remove(victim)
          lines[victim] = nil
        }
        guard order.count == model.entries.count, order.windowLimit == model.windowLimit,
          order.isCounting == model.isCounting
        else {
          Issue.record("round \(round), step \(step): \(order.count), \(order.windowLimit)")
          return
        }
      }
    }
  }

  @Test("14.12 a replaced entry passes its place in the order on")
  func replacedEntry() {
    var order = CacheOrder(.all, limit: 200)
    func line(_ number: Int) -> CacheLine {
      let line = CacheLine(hash: number.hashValue, nil, after: nil, nil)
      line.hasValue = true
      return line
    }
    let lines = (0..<200).map(line)
    for line in lines { order.insert(line) }
    for _ in 0..<3 { for line in lines { order.touch(line) } }
    let new = line(7)
    order.replace(lines[7], by: new)
    #expect(order.count == 200)
    order.touch(lines[7])
    order.remove(lines[7])
    #expect(order.count == 200, "the old entry is not in the order any more")
    for number in 200..<300 {
      order.insert(line(number))
      while order.count > 200, let victim = order.victim() {
        #expect(victim !== new)
        order.remove(victim)
      }
    }
    order.remove(new)
    #expect(order.count == 199)
  }

  // MARK: Caches

  @Test("14.12 with at most 128 keys, exactly the least recently used key is evicted")
  func exactOrder() {
    let cache = Cache(capacity: 128)
    for _ in 0..<10 { for key in 0..<128 { ask(cache, key) } }
    for key in 128..<1000 {
      ask(cache, key)
      #expect(cache.peek(key - 128) == nil)
      #expect(cache.count == 128)
    }
  }

  @Test("14.12 keys that are asked for once do not evict popular keys")
  func scan() {
    let cache = Cache(capacity: 1000)
    for _ in 0..<5 { for key in 0..<800 { ask(cache, key) } }
    for key in 10_000..<30_000 {
      ask(cache, key)
      if key % 10 == 0 { ask(cache, key / 10 % 800) }
    }
    let kept = (0..<800).count { cache.peek($0) != nil }
    #expect(kept > 700, "\(kept) of 800 popular keys are kept after a scan")
    #expect(cache.count == 1000)
  }

  @Test("14.12 keys that become popular replace those that were popular before")
  func change() {
    let cache = Cache(capacity: 500)
    var generator = SeededGenerator(seed: 4)
    for keys in [0..<400, 1000..<1400] {
      for _ in 0..<16_000 { ask(cache, Int.random(in: keys, using: &generator)) }
    }
    let kept = (1000..<1400).count { cache.peek($0) != nil }
    #expect(kept > 360, "\(kept) of 400 keys are kept")
  }

  @Test("14.12 a key whose load is in flight is evicted only after all values")
  func loadsInFlight() {
    let cache = Cache(capacity: 300)
    for _ in 0..<5 { for key in 0..<300 { ask(cache, key) } }
    var loads: [(promise: Promise<Int, Never>, resolver: Promise<Int, Never>.Resolver)] = []
    let first = cache.counters.loads
    for key in 1000..<1300 {
      let (promise, resolver) = Promise<Int, Never>.makeWithResolver()
      loads.append((cache.promise(for: key, on: .immediate) { _ in promise }, resolver))
    }
    for key in 1000..<1300 { _ = cache.promise(for: key, on: .immediate) { _ in Promise(fulfilled: -1) } }
    #expect(cache.counters.loads == first + 300, "all calls join the loads in flight")
    for (number, load) in loads.enumerated() { load.resolver.fulfill(with: number) }
    #expect(loads.enumerated().allSatisfy { $1.promise.result == .value($0) })
    #expect(cache.count == 300)
  }

  @Test("14.12 loads in flight are evicted after values, even if they began before the values")
  func earlyLoadsInFlight() {
    let cache = Cache(capacity: 300)
    var loads: [Promise<Int, Never>.Resolver] = []
    for key in 0..<150 {
      let (promise, resolver) = Promise<Int, Never>.makeWithResolver()
      loads.append(resolver)
      _ = cache.promise(for: key, on: .immediate) { _ in promise }
    }
    for key in 1000..<3000 { ask(cache, key) }
    let before = cache.counters.loads
    for key in 0..<150 { ask(cache, key) }
    #expect(cache.counters.loads == before, "all calls join the loads in flight")
    for resolver in loads { resolver.fulfill(with: 1) }
  }

  @Test("14.12 a load in place of an expired value is evicted last")
  func loadOfExpiredKey() {
    var order = CacheOrder(.all, limit: 200)
    let lines = (0..<200).map { number in
      let line = CacheLine(hash: number.hashValue, nil, after: nil, nil)
      line.hasValue = true
      return line
    }
    for line in lines { order.insert(line) }
    for _ in 0..<3 { for line in lines { order.touch(line) } }
    let load = CacheLine(hash: 7.hashValue, nil, after: nil, nil)
    order.replace(lines[7], by: load)
    for _ in 0..<199 { order.victim().map { order.remove($0) } }
    #expect(order.count == 1)
    #expect(order.victim() === load)
  }

  @Test("14.12 an old value that is loaded again keeps its place")
  func refreshedKeys() {
    let clock = TestClock()
    let cache = Cache(capacity: 300, timeToLive: .seconds(10), staleTimeToLive: .seconds(100), clock: clock)
    for _ in 0..<5 { for key in 0..<250 { ask(cache, key) } }
    clock.advance(by: .seconds(11))
    for key in 0..<250 { ask(cache, key) }
    for key in 1000..<3000 { ask(cache, key) }
    let kept = (0..<250).count { cache.peek($0) != nil }
    #expect(kept > 200, "\(kept) of 250 keys are kept")
  }

  @Test("14.23 values that are asked for once do not evict popular values of similar cost")
  func costs() {
    let cache = PromiseCache<Int, Int, Never>(totalCostLimit: 100_000) { 50 + $0 % 101 }
    for _ in 0..<5 { for key in 0..<600 { ask(cache, key) } }
    for key in 10_000..<30_000 {
      ask(cache, key)
      if key % 10 == 0 { ask(cache, key / 10 % 600) }
      #expect(cache.totalCost <= 100_000)
    }
    let kept = (0..<600).count { cache.peek($0) != nil }
    #expect(kept > 500, "\(kept) of 600 popular values are kept after a scan")
    #expect(cache.totalCost > 98_000)
  }

  @Test("14.23 14.13 the sum of the costs stays exact while values are replaced and evicted")
  func costsOfOldValues() async {
    let clock = TestClock()
    let cache = PromiseCache<Int, Int, Never>(
      totalCostLimit: 20_000, capacity: 400, timeToLive: .seconds(10), staleTimeToLive: .seconds(20), clock: clock
    ) { $0 % 100 + 1 }
    var generator = SeededGenerator(seed: 5)
    for step in 0..<scaled(20_000) {
      let key = Int.random(in: 0..<(step % 3 == 0 ? 2000 : 300), using: &generator)
      switch Int.random(in: 0..<20, using: &generator) {
      case 0: cache.remove(key)
      case 1: await clock.advance(by: .seconds(1))
      case 2..<5: cache.setValue(step, for: key)
      default: _ = cache.promise(for: key, on: .immediate) { _ in Promise(fulfilled: step) }
      }
      let costs = step % 50 == 0 ? cache.core.lines.map(\.cost).reduce(0, +) : cache.totalCost
      guard cache.totalCost == costs, cache.totalCost <= 20_000, cache.count <= 400 else {
        Issue.record("step \(step): cost \(cache.totalCost), \(costs) in the entries, \(cache.count) keys")
        return
      }
    }
    await until("the release of the values that have expired") {
      (0..<2000).compactMap { cache.peek($0)?.value }.map { $0 % 100 + 1 }.reduce(0, +) == cache.totalCost
    }
    cache.removeAll()
    #expect((cache.totalCost, cache.count) == (0, 0))
    for key in 0..<200 { cache.setValue(key, for: key) }
    for key in 0..<200 { cache.remove(key) }
    #expect((cache.totalCost, cache.count) == (0, 0), "no cost is left of a removed value")
  }
}
