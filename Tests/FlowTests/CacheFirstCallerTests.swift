import Testing

@testable import Overmorrow
@testable import OvermorrowFlow

/// Loads that run inside the call of their first caller.
@Suite(.inTurn) struct CacheFirstCallerTests {
  private typealias Cache = PromiseCache<String, Int, Refusal>

  private let cache = Cache()

  private func ask(_ load: @escaping @Sendable () -> Subject) -> Subject {
    cache.promise(for: "a", on: .immediate) { _ in load() }
  }

  @Test("14.1 a second caller during the call of a load shares the load", arguments: Ending.allCases)
  func secondCaller(ending: Ending) {
    let (second, result) = (Holder<Subject>(), ending.result(1, Refusal.first))
    let first = ask { [cache] in
      second.value = cache.promise(for: "a", on: .immediate) { _ in Subject(fulfilled: 2) }
      #expect((second.value?.result, cache.peek("a"), cache.count) == (nil, nil, 1))
      return Subject(with: result)
    }
    #expect((first.result, second.value?.result) == (result, result))
    #expect(cache.peek("a") == (ending == .value ? result : nil))
    #expect(cache.counters == (1, 1, 1, ending == .error ? 1 : 0))
  }

  @Test("3.6 14.4 the first caller has a vote before its load has returned")
  func votes() {
    let (probe, second) = (Probe(), Holder<Subject>())
    let first = ask { [cache] in
      second.value = cache.promise(for: "a", on: .immediate) { _ in Subject(fulfilled: 2) }
      second.value?.requestCancel()
      return probe.take()
    }
    #expect((probe.requestCount, cache.count) == (0, 1))
    first.requestCancel()
    #expect((probe.requestCount, cache.count) == (1, 0))
  }

  @Test("14.6 a key that its load removes is not kept, with or without another caller", arguments: [false, true])
  func removed(isShared: Bool) {
    let second = Holder<Subject>()
    let first = ask { [cache] in
      if isShared { second.value = cache.promise(for: "a", on: .immediate) { _ in Subject(fulfilled: 2) } }
      cache.remove("a")
      return Subject(fulfilled: 1)
    }
    #expect(first.result == .value(1))
    #expect(second.value?.result == (isShared ? .value(1) : nil))
    #expect((cache.peek("a"), cache.count) == (nil, 0))
  }

  @Test("14.20 a load's promise with a value is kept without a further promise")
  func keepsPromise() {
    let made = Subject(fulfilled: 1)
    #expect(ask { made } == made)
    #expect(ask { Subject(fulfilled: 2) } == made)
  }
}
