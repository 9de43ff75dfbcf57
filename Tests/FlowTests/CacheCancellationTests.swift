import Dispatch
import Testing

@testable import Overmorrow
@testable import OvermorrowFlow

/// The votes of a cache's callers on the load that they share.
@Suite(.heavy) struct CacheCancellationTests {
  private typealias Cache = PromiseCache<Int, Int, Refusal>

  @Test(
    "3.6 14.4 the last caller's request evicts the load and asks it to cancel",
    arguments: [false, true], Ending.allCases)
  func lastVote(isRemoved: Bool, ending: Ending) {
    let (cache, probe) = (Cache(), Probe())
    let promises = (0..<3).map { _ in cache.promise(for: 1, on: .immediate) { _ in probe.take() } }
    if isRemoved { cache.remove(1) }
    promises[0].requestCancel()
    promises[2].requestCancel()
    promises[2].requestCancel()
    #expect((probe.requestCount, cache.count) == (0, isRemoved ? 0 : 1))
    promises[1].requestCancel()
    #expect((probe.requestCount, cache.count) == (1, 0))
    #expect(promises.map(\.result) == [nil, nil, nil], "the load has not complied yet")
    let result = ending.result(1, Refusal.first)
    probe.resolver.resolve(with: result)
    #expect(promises.map(\.result) == [result, result, result])
    #expect((cache.peek(1), cache.count) == (nil, 0))
  }

  @Test("3.6 a caller after the last request starts a new load")
  func afterLastRequest() {
    let (cache, old, new) = (Cache(), Probe(), Probe())
    let first = cache.promise(for: 1, on: .immediate) { _ in old.take() }
    first.requestCancel()
    let second = cache.promise(for: 1, on: .immediate) { _ in new.take() }
    old.resolver.cancel()
    #expect((first.result, second.result) == (.cancelled, nil))
    new.resolver.fulfill(with: 2)
    #expect((second.result, cache.peek(1)) == (.value(2), .value(2)))
  }

  @Test("3.6 a call from inside the last request starts a new load")
  func duringLastRequest() {
    let (cache, second) = (Cache(), Holder<Subject>())
    let (load, resolver) = Subject.makeWithResolver()
    resolver.onRequestCancel(on: .immediate) { resolver in
      second.value = cache.promise(for: 1, on: .immediate) { _ in Subject(fulfilled: 2) }
      resolver.cancel()
    }
    let first = { [load] in cache.promise(for: 1, on: .immediate) { _ in load.makeChild() } }()
    first.requestCancel()
    load.requestCancel()
    #expect((first.result, second.value?.result) == (.cancelled, .value(2)))
  }

  @Test("14.4 a request to a promise whose value is cached has no effect")
  func afterValue() {
    let cache = Cache()
    let promise = cache.promise(for: 1, on: .immediate) { _ in Subject(fulfilled: 1) }
    promise.requestCancel()
    cache.promise(for: 1, on: .immediate) { _ in Subject(fulfilled: 2) }.requestCancel()
    #expect(cache.peek(1) == .value(1))
  }

  @Test("3.6 100,000 callers of one key share one load although a third cancels")
  func manyCallers() async {
    let (cache, probe, calls) = (Cache(), Probe(), Counter())
    let (threads, count) = (4, scaled(100_000) / 4)
    let (values, others, done) = (Counter(), Counter(), Latch(threads * count))
    let asked = Latch(threads)
    for _ in 0..<threads {
      DispatchQueue.global().async {
        for number in 0..<count {
          let promise = cache.promise(for: 1, on: .immediate) { _ in
            calls.increment()
            return probe.take()
          }
          promise.tap(on: .immediate) { result in
            _ = result == .value(7) ? values.increment() : others.increment()
            done.signal()
          }
          // The first caller never requests cancellation, so the value is always wanted.
          if number % 3 == 1 { promise.requestCancel() }
        }
        asked.signal()
      }
    }
    await asked.wait(for: "all callers to have asked")
    #expect(probe.requestCount == 0)
    probe.resolver.fulfill(with: 7)
    await done.wait(for: "all callers to be told")
    #expect((calls.count, values.count, others.count) == (1, threads * count, 0))
    #expect(cache.peek(1) == .value(7))
  }

  @Test("3.6 100,000 cancelled callers of one key share one load, asked once")
  func allCancel() async {
    let (cache, probe, calls, cancelled) = (Cache(), Probe(complying: true), Counter(), Counter())
    let promises = (0..<scaled(100_000)).map { _ in
      cache.promise(for: 1, on: .immediate) { _ in
        calls.increment()
        return probe.take()
      }
    }
    for promise in promises {
      promise.tap(on: .immediate) { if $0.isCancelled { cancelled.increment() } }
      promise.requestCancel()
    }
    #expect((calls.count, probe.requestCount, cancelled.count) == (1, 1, promises.count))
    #expect(cache.count == 0)
  }

  @Test("3.6 a caller that races with the last request gets a value")
  func races() async {
    await race(
      rounds: 5000, within: .seconds(1),
      {
        let (cache, probes) = (Cache(), Recorder<Probe>())
        let ask = { @Sendable in
          cache.promise(for: 1, on: .immediate) { _ in
            let probe = Probe(complying: true)
            probes.record(probe)
            return probe.take()
          }
        }
        return (cache: cache, probes: probes, ask: ask, first: ask(), second: Holder<Subject>())
      },
      { $0.first.requestCancel() }, { $0.second.value = $0.ask() },
      check: { round in
        guard let second = round.second.value else { return "no promise" }
        if second.result == .cancelled { return "the second caller was cancelled" }
        for probe in round.probes.entries { probe.resolver.fulfill(with: 7) }
        guard second.result == .value(7) else { return "the second caller has \(second)" }
        guard round.cache.peek(1) == .value(7) else { return "the load that is wanted was evicted" }
        return round.probes.entries.count <= 2 ? nil : "\(round.probes.entries.count) loads"
      })
  }

  @Test("3.6 when callers ask and cancel on several threads, remaining callers get the value")
  func manyThreads() async {
    struct Round: Sendable {
      let cache = Cache()
      let staying = Recorder<Subject>()
      let leaving = Recorder<Subject>()
      let probes = Recorder<Probe>()

      func callers(_ seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<30 {
          let promise = cache.promise(for: .random(in: 0..<2, using: &generator), on: .immediate) { _ in
            let probe = Probe(complying: true)
            probes.record(probe)
            return probe.take()
          }
          if .random(using: &generator) {
            leaving.record(promise)
            promise.requestCancel()
          } else if .random(in: 0..<8, using: &generator) == 0 {
            staying.record(promise)
          } else {
            promise.requestCancel()
          }
        }
      }
    }
    await race(
      rounds: 1000, within: .seconds(1), { Round() }, { $0.callers(1) }, { $0.callers(2) }, { $0.callers(3) },
      check: { round in
        let (staying, leaving) = (round.staying.entries, round.leaving.entries)
        if staying.contains(where: { $0.result != nil }) { return "a remaining caller has an early result" }
        for probe in round.probes.entries { probe.resolver.fulfill(with: 7) }
        if staying.contains(where: { $0.result != .value(7) }) { return "a remaining caller has no value" }
        return leaving.contains { $0.result == nil } ? "a caller has no result" : nil
      })
  }
}
