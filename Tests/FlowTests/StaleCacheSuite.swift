import OvermorrowFlow

/// A suite with caches that have a stale value and a soft timeout of three seconds.
protocol StaleCacheSuite {
  var clock: TestClock { get }
}

extension StaleCacheSuite {
  typealias Cache = PromiseCache<Int, Int, Refusal>

  /// Makes a cache that has loaded the value 1 the given number of seconds ago. The value is stale after ten seconds,
  /// and may be returned for twenty more.
  ///
  /// - Parameter hooks: The clock of the cache in place of the clock of the suite, which moves it.
  func makeCache(
    after seconds: Int = 10, softTimeout: Duration = .seconds(3), capacity: Int? = nil,
    failureTimeToLive: Duration = .zero, on hooks: (any Clock<Duration>)? = nil
  ) -> Cache {
    let cache = Cache(
      capacity: capacity, timeToLive: .seconds(10), failureTimeToLive: failureTimeToLive,
      staleTimeToLive: .seconds(20), softTimeout: softTimeout, clock: hooks ?? clock)
    cache.setValue(1, for: 1)
    tick(clock, by: .seconds(seconds))
    return cache
  }

  func ask(_ cache: Cache, _ probe: Probe) -> Subject {
    cache.promise(for: 1, on: .immediate) { _ in probe.take() }
  }

  /// Makes what each round of a race needs: a cache with the stale value 1, its own clock, and a load.
  static func makeRound() -> (clock: TestClock, cache: Cache, probe: Probe) {
    let clock = TestClock()
    let cache = Cache(timeToLive: .seconds(1), staleTimeToLive: nil, softTimeout: .seconds(3), clock: clock)
    cache.setValue(1, for: 1)
    clock.advance(by: .seconds(1))
    return (clock, cache, Probe())
  }
}
