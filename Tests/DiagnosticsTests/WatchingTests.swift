#if os(macOS) || os(Linux)
  import Dispatch
  import Overmorrow
  import OvermorrowFlow
  import OvermorrowTesting
  import Testing

  private typealias Subject = Promise<Int, Reason>

  /// The mistakes reported for a whole program, and the place where each promise was made. Each test runs in its own
  /// process, because the level and the handler are global.
  @Suite(.heavy, .enabled(if: isLevelUnset)) struct WatchingTests {
    private static func check(
      _ found: [PromiseDiagnostic], _ expected: [PromiseDiagnostic], sourceLocation: SourceLocation = #_sourceLocation
    ) {
      // The comment repeats the values, because nothing else of an expectation in a child process is passed on.
      #expect(found == expected, "\(found) is not \(expected)", sourceLocation: sourceLocation)
    }

    @Test(
      "15.10 15.11 a mistake is reported with the place where its promise was made", arguments: mistakes.keys.sorted())
    func reported(mistake: String) async throws {
      try await ExitArgument.passing(mistake) {
        await #expect(processExitsWith: .success) {
          let mistake = try ExitArgument.taken(String.self)
          let make = try #require(mistakes[mistake])
          var expected: [PromiseDiagnostic] = []
          let found = reports { expected = make() }
          Self.check(found, expected)
        }
      }
    }

    @Test("15.10 an unread error is reported once, when its last promise is released")
    func kept() async {
      await #expect(processExitsWith: .success) {
        let kept = Holder<Subject>()
        let line = Holder<Int>()
        Self.check(reports { line.value = Self.keep(in: kept) }, [])
        Self.check(reports { for _ in 0..<3 { kept.value?.then(on: .immediate) { _ in } } }, [])
        Self.check(reports { kept.value = nil }, [unobserved(line.value ?? 0)])
      }
    }

    @Test("15.16 watched promises are freed as early as others")
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

    @Test("1.7 1.23 at off, a promise that waits for itself through another one stays unresolved")
    func cyclesAtOff() async {
      await #expect(processExitsWith: .success) {
        PromiseDiagnostics.level = .off
        let found = Recorder<PromiseDiagnostic>()
        PromiseDiagnostics.handler = { found.record($0) }
        let ring = Self.closedRing(2)
        for promise in ring { promise.requestCancel() }
        #expect(ring.allSatisfy { !$0.isResolved })
        #expect(found.entries == [])
        let (alone, resolver) = Subject.makeWithResolver()
        resolver.resolve(with: alone)
        #expect(alone.result == .cancelled)
        #expect(found.entries == [.resolvedWithItself()])
      }
    }

    @Test("1.23 a watched cycle of more than 201 promises is not found")
    func longCycle() async {
      await #expect(processExitsWith: .success) {
        for (count, isFound) in [(201, true), (202, false)] {
          var ring: [Subject] = []
          let found = reports { ring = Self.closedRing(count) }
          #expect(found.count == (isFound ? 1 : 0))
          #expect(ring.allSatisfy { $0.isResolved == isFound })
        }
      }
    }

    /// Returns promises that adopt one another, each the next one and the last the first.
    private static func closedRing(_ count: Int) -> [Subject] {
      let links = (0..<count).map { _ in Subject.makeWithResolver() }
      for (index, link) in links.enumerated() { link.1.resolve(with: links[(index + 1) % count].0) }
      return links.map(\.0)
    }

    private static func keep(in holder: Holder<Subject>) -> Int {
      holder.value = Subject(rejected: "no")
      return #line - 1
    }
  }

  private func place(_ line: Int) -> String { "DiagnosticsTests/WatchingTests.swift:\(line)" }

  private func unobserved(_ line: Int) -> PromiseDiagnostic {
    .failureUnobserved(origin: place(line), error: "\(Reason(stringLiteral: "no"))")
  }

  /// Programs with a mistake. Each returns the expected reports. They are functions because a macro puts all code in
  /// its argument on one line.
  private let mistakes: [String: @Sendable () -> [PromiseDiagnostic]] = [
    "an unused resolver": dropResolvers,
    "an unused resolver whose promise has the place of a caller": passPlaceOn,
    "a cycle of promises": closeCycles,
    "an unobserved error of the first promise of a chain or an adopted promise": failInChains,
    "an unobserved error of a promise that the library made for a call": failOnBehalf,
    "an unobserved timeout": timeOut,
    "an error and a value for one promise": resolveTwice,
  ]

  private func dropResolvers() -> [PromiseDiagnostic] {
    let first = #line + 1
    Subject.makeWithResolver().0.tap(on: .immediate) { _ in }
    Subject(on: .immediate) { _ in }.tap(on: .immediate) { _ in }
    _ = LazyPromise<Int, Reason>(on: .immediate) { _ in }.promise
    _ = Subject.withProgress(on: .immediate) { _, _ in }
    return (0..<4).map { .resolverDropped(origin: place(first + $0)) }
  }

  private func passPlaceOn() -> [PromiseDiagnostic] {
    func make(fileID: StaticString = #fileID, line: UInt = #line) {
      Subject.makeWithResolver(fileID: fileID, line: line).0.tap(on: .immediate) { _ in }
    }
    make()
    return [.resolverDropped(origin: place(#line - 1))]
  }

  private func closeCycles() -> [PromiseDiagnostic] {
    let first = #line + 1
    let (one, resolver) = Subject.makeWithResolver()
    let (other, otherResolver) = Subject.makeWithResolver()
    resolver.resolve(with: other)
    otherResolver.resolve(with: one)
    let (alone, ownResolver) = Subject.makeWithResolver()
    ownResolver.resolve(with: alone)
    return [1, 4].map { .resolvedWithItself(origin: place(first + $0)) }
  }

  private func failInChains() -> [PromiseDiagnostic] {
    let first = #line + 1
    Subject.makeWithResolver().1.reject(with: "no")
    Subject(rejected: "no").map(on: .immediate) { $0 }.then(on: .immediate) { _ in }
    _ = Subject(fulfilled: 1).flatMap(on: .immediate) { _ in Subject(rejected: "no") }
    _ = Subject(on: .immediate) { _ throws(Reason) in throw "no" }
    Subject(fulfilled: 1).then(on: .immediate) { _ throws(Reason) in throw "no" }
    return (0..<5).map { unobserved(first + $0) }
  }

  private func failOnBehalf() -> [PromiseDiagnostic] {
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
    return (0..<10).map { unobserved(first + $0) }
  }

  private func timeOut() -> [PromiseDiagnostic] {
    let (promise, resolver) = Subject.makeWithResolver()
    _ = promise.timeout(on: .immediate, .zero)
    resolver.fulfill(with: 1)
    return [.failureUnobserved(origin: place(#line - 3), error: "\(PromiseTimeoutError<Reason>.timedOut)")]
  }

  private func resolveTwice() -> [PromiseDiagnostic] {
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
    let first = #line - 14
    return [(0, true), (5, false), (9, true)].map { .resolvedTwice(origin: place(first + $0), isRejection: $1) }
  }
#endif
