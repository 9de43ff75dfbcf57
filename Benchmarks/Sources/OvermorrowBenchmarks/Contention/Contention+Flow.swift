import Overmorrow
import OvermorrowFlow
import Synchronization

extension Contention {
  private typealias P = Promise<Int, any Error>
  private typealias Cache = PromiseCache<Int, Int, any Error>

  /// Objects that several threads share: caches, limiters and the timers of timeouts.
  static let flow = [
    hits("all threads ask for different keys of one cache", keysOfThread: 64),
    hits("all threads ask for the same key of one cache", keysOfThread: nil),
    hits("all threads ask for different keys of one cache, and set every hundredth", keysOfThread: 64, setEvery: 100),
    hits("all threads ask for different keys of one cache, and set every tenth", keysOfThread: 64, setEvery: 10),
    hits("all threads ask for different keys of one cache with a capacity", keysOfThread: 64, capacity: 1000),
    turns, timeouts,
  ]

  /// Hits, beside a dictionary of promises behind a mutex.
  ///
  /// - Parameters:
  ///   - keysOfThread: The number of keys of each thread; `nil` if all threads ask for one key.
  ///   - period: The number of operations of which one sets a value; `nil` if none does.
  private static func hits(
    _ name: String, keysOfThread: Int?, capacity: Int? = nil, setEvery period: Int? = nil
  ) -> Contention {
    let keys = 0..<8 * (keysOfThread ?? 1)
    /// Returns the first key of one more thread.
    @Sendable func firstKey(_ threads: borrowing Mutex<Int>) -> Int {
      threads.withLock { threads in
        defer { threads += 1 }
        return keysOfThread.map { threads % 8 * $0 } ?? 0
      }
    }
    return Contention(
      name: name,
      contenders: [
        Contender(name: "cache") {
          let cache = Cache(capacity: capacity)
          for key in keys { _ = cache.promise(for: key, on: .immediate) { P(fulfilled: $0) } }
          let threads = Table([:])
          return Contender.Work { counter, operations in
            let first = firstKey(threads.count)
            for operation in 0..<operations {
              let key = first + operation % (keysOfThread ?? 1)
              if let period, operation % period == 0 { cache.setValue(key, for: key) }
              let promise = cache.promise(for: key, on: .immediate) { P(fulfilled: $0) }
              if case .value? = promise.result { counter.value &+= 1 }
            }
          } finish: {
          }
        },
        Contender(name: "mutex") {
          let table = Table(Dictionary(uniqueKeysWithValues: keys.map { ($0, P(fulfilled: $0)) }))
          return Contender.Work { counter, operations in
            let first = firstKey(table.count)
            for operation in 0..<operations {
              let key = first + operation % (keysOfThread ?? 1)
              if let period, operation % period == 0 { table.set(P(fulfilled: key), for: key) }
              let promise = table.promises.withLock { $0[key] }
              if case .value? = promise?.result { counter.value &+= 1 }
            }
          } finish: {
          }
        },
      ])
  }

  /// Jobs of a limiter with room, beside a count behind a mutex.
  private static let turns = Contention(
    name: "all threads run jobs of one limiter, which has room",
    contenders: [
      Contender(name: "limiter") {
        let limiter = PromiseLimiter(width: 100)
        return Contender.Work { counter, operations in
          for _ in 0..<operations {
            let promise = limiter.run(on: .immediate) { P(fulfilled: 1) }
            if case .value(let one)? = promise.result { counter.value &+= one }
          }
        } finish: {
        }
      },
      Contender(name: "mutex") {
        let running = Table([:])
        return Contender.Work { counter, operations in
          for _ in 0..<operations {
            running.count.withLock { $0 += 1 }
            if case .value(let one)? = P(fulfilled: 1).result { counter.value &+= one }
            running.count.withLock { $0 -= 1 }
          }
        } finish: {
        }
      },
    ])

  /// Timeouts that are not reached, beside the same promises without a timeout.
  private static let timeouts = Contention(
    name: "each thread fulfils promises of its own before their timeout",
    contenders: [
      Contender(name: "timeout") {
        Contender.Work { counter, operations in
          for _ in 0..<operations {
            let (promise, resolver) = P.makeWithResolver()
            promise.timeout(on: .immediate, .seconds(3600)).tap(on: .immediate) { _ in counter.value &+= 1 }
            resolver.fulfill(with: 1)
          }
        } finish: {
        }
      },
      Contender(name: "without") {
        Contender.Work { counter, operations in
          for _ in 0..<operations {
            let (promise, resolver) = P.makeWithResolver()
            promise.map(on: .immediate) { $0 }.tap(on: .immediate) { _ in counter.value &+= 1 }
            resolver.fulfill(with: 1)
          }
        } finish: {
        }
      },
    ])

  private final class Table: Sendable {
    let promises: Mutex<[Int: P]>
    let count = Mutex(0)

    init(_ promises: [Int: P]) { self.promises = Mutex(promises) }

    func set(_ promise: P, for key: Int) {
      let old = promises.withLock { $0.updateValue(promise, forKey: key) }
      withExtendedLifetime(old) {}
    }
  }
}
