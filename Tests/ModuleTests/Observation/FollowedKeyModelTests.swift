import Overmorrow
import OvermorrowFlow
import OvermorrowObservation
import OvermorrowTesting
import TestSupport
import Testing

/// Random calls of several handles over one cache.
@MainActor @Suite(.checkedPromises) struct FollowedKeyModelTests {
  private typealias Cache = PromiseCache<String, Int, any Error>

  /// The loads of a cache. Each value has a number, so that a later load or a later set value has a higher number.
  @MainActor private final class Source {
    private(set) var count = 0
    private(set) var requests: [Int] = []
    private var open: [Int: Promise<Int, any Error>.Resolver] = [:]

    func next() -> Int {
      count += 1
      return count
    }

    func send(_ key: String) -> Promise<Int, any Error> {
      let (promise, resolver) = Promise<Int, any Error>.makeWithResolver()
      requests.append(next())
      open[count] = resolver
      resolver.onRequestCancel { $0.cancel() }
      return promise
    }

    func end(_ number: Int, fails: Bool) {
      let resolver = open.removeValue(forKey: number)
      if fails { resolver?.reject(with: Offline()) } else { resolver?.fulfill(with: number) }
    }
  }

  /// A handle, and what is known of it.
  @MainActor private final class Viewer {
    let load: PromiseLoad<String, Int>
    private(set) var input: String?
    private var before: String?
    private var edit: Int?
    private var newest = 0

    init(_ cache: Cache, _ source: Source) { load = PromiseLoad(from: cache, load: source.send) }

    func begin(_ key: String) {
      if !load.isLoading { before = input }
      if key != input { newest = 0 }
      input = key
      load.load(key)
    }

    func reload() {
      if !load.isLoading { before = input }
      load.reload()
    }

    func cancel() {
      if load.isLoading { (input, newest) = (before, 0) }
      load.cancel()
    }

    func reset() {
      load.reset()
      (input, newest) = (nil, 0)
    }

    func set(_ value: Int) {
      load.value = value
      edit = value
    }

    func check(_ cache: Cache) {
      let value = load.value
      if let edit, value == edit { return }
      #expect(value ?? 0 >= newest)
      newest = value ?? 0
      if !load.isLoading, let kept = input.flatMap({ cache.peek($0)?.value }) { #expect(value == kept) }
    }
  }

  @Test("22.12 22.13 22.14 22.15 after random calls, idle handles show the cached value, and none an older one")
  func model() async {
    let clock = TestClock()
    var random = SeededGenerator(seed: 22)
    for _ in 0..<scaled(200) {
      let (cache, source) = (Cache(timeToLive: .seconds(5), staleTimeToLive: .seconds(5), clock: clock), Source())
      let viewers = (0..<3).map { _ in Viewer(cache, source) }
      for _ in 0..<Int.random(in: 1...30, using: &random) {
        let viewer = viewers.randomElement(using: &random) ?? viewers[0]
        let key = ["a", "b"].randomElement(using: &random) ?? "a"
        switch Int.random(in: 0..<14, using: &random) {
        case 0, 1, 2: viewer.begin(key)
        case 3, 4: viewer.reload()
        case 5, 6, 7: source.requests.randomElement(using: &random).map { source.end($0, fails: false) }
        case 8: source.requests.randomElement(using: &random).map { source.end($0, fails: true) }
        case 9: viewer.cancel()
        case 10: if Bool.random(using: &random) { viewer.reset() } else { viewer.set(-source.next()) }
        case 11: cache.setValue(source.next(), for: key)
        case 12: cache.remove(key)
        default: await clock.advance(by: .seconds(2))
        }
        guard Bool.random(using: &random) else { continue }
        let count = source.requests.count
        await clock.advance(by: .zero)
        #expect(source.requests.count == count)
        for viewer in viewers { viewer.check(cache) }
      }
      await clock.advance(by: .zero)
      for viewer in viewers {
        viewer.check(cache)
        viewer.load.reset()
      }
      for number in source.requests { source.end(number, fails: false) }
    }
  }

  @Test("22.13 22.16 after a race of values, the handles show the cached one")
  func races() async {
    for _ in 0..<scaled(100) {
      let cache = PromiseCache<Int, Int, Never>(timeToLive: .seconds(60))
      let loads = (0..<2).map { _ in
        PromiseLoad(from: cache) { _ in
          Promise<Int, Never>(on: .utility) { resolver in resolver.fulfill(with: Int.random(in: 1000..<2000)) }
        }
      }
      async let setting: Void = Task.detached {
        for number in 0..<20 { number % 7 == 3 ? cache.remove(1) : cache.setValue(number, for: 1) }
      }.value
      for number in 0..<10 {
        for load in loads { number.isMultiple(of: 3) ? load.load(1) : load.reload() }
        await Task.yield()
      }
      await setting
      await until("the ends of the loads") { !loads.contains { $0.isLoading } }
      await TestClock().advance(by: .zero)
      let kept = cache.peek(1)?.value
      #expect(kept != nil && loads.map(\.value) == [kept, kept])
    }
  }
}
