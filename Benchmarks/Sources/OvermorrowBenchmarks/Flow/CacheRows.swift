import Overmorrow
import OvermorrowFlow

/// The rows for `PromiseCache`. A load returns a promise that is already fulfilled.
enum CacheRows {
  private typealias Cache = PromiseCache<Int, Int, any Error>

  static func workload(for row: Row) -> Workload? {
    switch row {
    case .ca: hits
    case .cb: hitsOfLimitedCache
    case .cc: awaitedHits
    case .cd: misses
    case .ce: missesWithLifetime
    case .cf: awaitedValues
    case .cg: awaitedMisses
    case .ch: sharedMisses
    default: nil
    }
  }

  private static func hits(_ count: Int) { hits(count, in: Cache(), .ca) }

  private static func hitsOfLimitedCache(_ count: Int) {
    hits(count, in: Cache(capacity: Row.cb.group, timeToLive: .seconds(600)), .cb)
  }

  private static func hits(_ count: Int, in cache: Cache, _ row: Row) {
    for _ in 0..<count / row.group {
      for key in 0..<row.group {
        blackHole(cache.promise(for: key, on: .immediate) { Promise(fulfilled: $0) })
      }
    }
    expect(cache.counters.misses == row.group && cache.count == row.group, row)
  }

  private static func awaitedHits(_ count: Int) {
    let cache = Cache()
    OneThread().run {
      for _ in 0..<count / Row.cc.group {
        for key in 0..<Row.cc.group {
          let promise = cache.promise(for: key, on: .immediate) { Promise(fulfilled: $0) }
          blackHole((try? await promise.value) ?? 0)
        }
      }
    }
    expect(cache.counters.misses == Row.cc.group, .cc)
  }

  private static func awaitedValues(_ count: Int) {
    let cache = Cache()
    OneThread().run {
      for key in 0..<Row.cf.group { blackHole(cache.promise(for: key, on: .immediate) { Promise(fulfilled: $0) }) }
      for _ in 0..<count / Row.cf.group {
        for key in 0..<Row.cf.group {
          blackHole((try? await cache.value(for: key) { $0 }) ?? 0)
        }
      }
    }
    expect(cache.counters.hits == count, .cf)
  }

  private static func awaitedMisses(_ count: Int) {
    let cache = Cache()
    let executor = OneThread()
    executor.replaceGlobalExecutor()
    executor.run {
      for key in 0..<count {
        let value = (try? await cache.value(for: key) { $0 }) ?? 0
        if key == 1 { expect(value == 1, .cg) }
        blackHole(value)
      }
    }
    expect(cache.counters.loads == count, .cg)
  }

  private static func sharedMisses(_ count: Int) {
    let cache = Cache()
    let executor = OneThread()
    executor.replaceGlobalExecutor()
    SharedMisses.run(count, on: executor) { key, load in (try? await cache.value(for: key, load: load)) ?? 0 }
    expect(cache.counters.loads == count / Row.ch.group, .ch)
  }

  private static func misses(_ count: Int) { misses(count, in: Cache(), .cd) }

  private static func missesWithLifetime(_ count: Int) { misses(count, in: Cache(timeToLive: .seconds(600)), .ce) }

  private static func misses(_ count: Int, in cache: Cache, _ row: Row) {
    for key in 0..<count {
      let promise = cache.promise(for: key, on: .immediate) { Promise(fulfilled: $0) }
      if key == 1 { expect(promise.result?.value == 1, row) }
      blackHole(promise)
    }
    expect(cache.counters.loads == count && cache.count == count, row)
  }
}
