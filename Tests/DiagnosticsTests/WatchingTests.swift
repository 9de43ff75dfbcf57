#if os(macOS) || os(Linux)
  import Dispatch
  import Overmorrow
  import OvermorrowTesting
  import Testing

  /// What is reported of a whole program, and where the promise was made. In processes of their own, as the level and the
  /// handler are one for all.
  @Suite(.heavy, .enabled(if: nothingIsSet)) struct WatchingTests {
    private typealias Subject = Promise<Int, Reason>

    private static func unobserved(_ line: Int, _ error: String = "no") -> [PromiseDiagnostic] {
      [.failureUnobserved(origin: place(line), error: "\(Reason(stringLiteral: error))")]
    }

    private static func check(
      _ found: [PromiseDiagnostic], _ expected: [PromiseDiagnostic], sourceLocation: SourceLocation = #_sourceLocation
    ) {
      // Said in a comment, too: of what a process of its own expects, no more is passed on.
      #expect(found == expected, "\(found) is not \(expected)", sourceLocation: sourceLocation)
    }

    private static func place(_ line: Int) -> String { "DiagnosticsTests/WatchingTests.swift:\(line)" }

    @Test("15.10 a resolver that goes unused is reported with the place where its promise was made")
    func resolverDropped() async {
      await #expect(processExitsWith: .success) {
        let (first, found) = Self.heard(Self.dropResolvers)
        Self.check(found, (0..<4).map { .resolverDropped(origin: Self.place(first + $0)) })
      }
    }

    @Test("15.10 a caller's place is reported if the code that makes the promise passes it on")
    func passedOn() async {
      await #expect(processExitsWith: .success) {
        let (line, found) = Self.heard(Self.passPlaceOn)
        Self.check(found, [.resolverDropped(origin: Self.place(line))])
      }
    }

    @Test("15.10 a cycle is reported with the place of the promise that closes it")
    func cycle() async {
      await #expect(processExitsWith: .success) {
        let (first, found) = Self.heard(Self.closeCycles)
        Self.check(found, [1, 4].map { .resolvedWithItself(origin: Self.place(first + $0)) })
      }
    }

    @Test("15.10 an error that nobody looks at is reported when the last promise that has it goes, once")
    func kept() async {
      await #expect(processExitsWith: .success) {
        let kept = Holder<Subject>()
        let line = Holder<Int>()
        Self.check(reports { line.value = Self.keep(in: kept) }, [])
        Self.check(reports { for _ in 0..<3 { kept.value?.then(on: .immediate) { _ in } } }, [])
        Self.check(reports { kept.value = nil }, Self.unobserved(line.value ?? 0))
      }
    }

    @Test("15.10 an error comes from the promise that a chain begins with, or that it has adopted")
    func chains() async {
      await #expect(processExitsWith: .success) {
        let (first, found) = Self.heard(Self.failInChains)
        Self.check(found, (0..<5).flatMap { Self.unobserved(first + $0) })
      }
    }

    @Test("15.10 what the library makes on a user's behalf has the place of the user's call")
    func onBehalf() async {
      await #expect(processExitsWith: .success) {
        let (first, found) = Self.heard(Self.failOnBehalf)
        Self.check(found, (0..<10).flatMap { Self.unobserved(first + $0) })
      }
    }

    @Test("15.10 a timeout that nobody looks at is reported")
    func timeout() async {
      await #expect(processExitsWith: .success) {
        let (line, found) = Self.heard(Self.timeOut)
        Self.check(
          found, [.failureUnobserved(origin: Self.place(line), error: "\(PromiseTimeoutError<Reason>.timedOut)")])
      }
    }

    @Test("15.11 a promise that is resolved to an error and to a value is reported, whatever came first")
    func twice() async {
      await #expect(processExitsWith: .success) {
        let (first, found) = Self.heard(Self.resolveTwice)
        Self.check(
          found,
          [(0, true), (5, false), (9, true)].map {
            .resolvedTwice(origin: Self.place(first + $0), isRejection: $1)
          })
      }
    }

    @Test("15.12 a value that counts as another is reported")
    func arguments() async {
      await #expect(processExitsWith: .success) {
        let found = reports { _ = PromiseLimiter(width: 0) }
        Self.check(found, [.invalidArgument("PromiseLimiter.width: 0 counts as 1")])
      }
    }

    @Test("15.16 what is watched is gone as soon as what is not")
    func memory() async {
      await #expect(processExitsWith: .success) {
        for level in [PromiseDiagnostics.Level.off, .report] {
          PromiseDiagnostics.level = level
          let tracker = Tracker()
          let (promise, resolver) = Promise<Tracker.Tracked, Reason>.makeWithResolver()
          promise.map(on: .immediate) { $0 }.then(on: .immediate) { _ in }.catch(on: .immediate) { _ in }
          resolver.fulfill(with: tracker.make())
          #expect(tracker.count == 1)
          withExtendedLifetime(promise) {}
          Promise<Tracker.Tracked, Reason>(fulfilled: tracker.make()).map(on: .immediate) { $0 }.then(on: .immediate) {
            _ in
          }
          #expect(tracker.count == 1)
        }
      }
    }

    // MARK: The mistakes

    // Here, and not in the tests: to a macro all that is in it is on one line. Each returns its first line.

    /// What is reported of a mistake, and where it begins.
    private static func heard(_ mistake: () -> Int) -> (line: Int, found: [PromiseDiagnostic]) {
      var line = 0
      let found = reports { line = mistake() }
      return (line, found)
    }

    private static func dropResolvers() -> Int {
      let first = #line + 1
      Subject.makeWithResolver().0.tap(on: .immediate) { _ in }
      Subject(on: .immediate) { _ in }.tap(on: .immediate) { _ in }
      _ = LazyPromise<Int, Reason>(on: .immediate) { _ in }.promise
      _ = Subject.withProgress(on: .immediate) { _, _ in }
      return first
    }

    private static func passPlaceOn() -> Int {
      func make(fileID: StaticString = #fileID, line: UInt = #line) {
        Subject.makeWithResolver(fileID: fileID, line: line).0.tap(on: .immediate) { _ in }
      }
      make()
      return #line - 1
    }

    private static func closeCycles() -> Int {
      let first = #line + 1
      let (one, resolver) = Subject.makeWithResolver()
      let (other, otherResolver) = Subject.makeWithResolver()
      resolver.resolve(with: other)
      otherResolver.resolve(with: one)
      let (alone, ownResolver) = Subject.makeWithResolver()
      ownResolver.resolve(with: alone)
      return first
    }

    private static func keep(in holder: Holder<Subject>) -> Int {
      holder.value = Subject(rejected: "no")
      return #line - 1
    }

    private static func failInChains() -> Int {
      let first = #line + 1
      Subject.makeWithResolver().1.reject(with: "no")
      Subject(rejected: "no").map(on: .immediate) { $0 }.then(on: .immediate) { _ in }
      _ = Subject(fulfilled: 1).flatMap(on: .immediate) { _ in Subject(rejected: "no") }
      _ = Subject(on: .immediate) { _ throws(Reason) in throw "no" }
      Subject(fulfilled: 1).then(on: .immediate) { _ throws(Reason) in throw "no" }
      return first
    }

    private static func failOnBehalf() -> Int {
      let clock = TestClock()
      let first = #line + 1
      _ = when(fulfilled: [Subject(rejected: "no")])
      _ = when(fulfilled: Subject(rejected: "no"), Subject(fulfilled: 1))
      _ = when(fulfilled: ["a": Subject(rejected: "no")])
      _ = when(first: [Subject(rejected: "no")])
      _ = when(fulfilled: [1], maxConcurrent: 1, on: .immediate) { _ in Subject(rejected: "no") }
      _ = Subject.retry(on: .immediate) { _ in Subject(rejected: "no") }
      _ = PromiseLimiter(width: 1).run(on: .immediate) { Subject(rejected: "no") }
      _ = PromiseCache<Int, Int, Reason>().promise(for: 1, on: .immediate) { _ throws(Reason) in throw "no" }
      _ = Subject(rejected: "no").delay(on: .immediate, .zero, clock: clock)
      _ = Subject(on: .immediate, rejected: "no", after: .zero, clock: clock)
      clock.run()
      return first
    }

    private static func timeOut() -> Int {
      let (promise, resolver) = Subject.makeWithResolver()
      _ = promise.timeout(on: .immediate, .zero)
      resolver.fulfill(with: 1)
      return #line - 3
    }

    private static func resolveTwice() -> Int {
      let (promise, resolver) = Subject.makeWithResolver()
      resolver.fulfill(with: 1)
      resolver.fulfill(with: 2)
      resolver.cancel()
      resolver.reject(with: "no")
      Subject(on: .immediate) { resolver throws(Reason) in
        resolver.reject(with: "no")
        resolver.resolve(with: .value(1))
      }.catch(on: .immediate) { _ in }
      _ = Subject(on: .immediate) { resolver throws(Reason) in
        resolver.fulfill(with: 1)
        throw "no"
      }
      withExtendedLifetime(promise) {}
      return #line - 14
    }
  }
#endif
