#if os(macOS) || os(Linux)
  import Dispatch
  import Testing

  @testable import Overmorrow
  @testable import OvermorrowDiagnostics
  @testable import OvermorrowEngine

  /// The reports of callbacks that keep a queue. Each test runs in its own process, because the level, the handler and
  /// the limit are global.
  ///
  /// Except where a test says otherwise, the limit is so long that the timer never ticks, and callbacks tick
  /// themselves. So no test depends on the load of the machine.
  @Suite(.heavy, .enabled(if: isLevelUnset)) struct StallTests {
    private typealias Subject = Promise<Int, Reason>

    @Test("15.44 20 planted stalls are each reported once, with their line and queue", arguments: [true, false])
    func planted(knowsLines: Bool) async throws {
      try await ExitArgument.passing(knowsLines) {
        await #expect(processExitsWith: .success) {
          let knowsLines = try ExitArgument.taken(Bool.self)
          #if DEBUG && os(Linux)
            Symbols.pretendUnknown(!knowsLines)
          #endif
          #expect(PlantedStall.all.count >= 20)
          let heard = await Self.begin()
          for stall in PlantedStall.all {
            let (hasBegun, isReported, hasEnded) = (Counter(), DispatchSemaphore(value: 0), Latch())
            PromiseDiagnostics.handler = {
              heard.record($0)
              isReported.signal()
            }
            let context = stall.isOnMain ? PromiseContext.main : .queue(DispatchQueue(label: "planted"))
            let line = await MainActor.run {
              stall.make(
                {
                  hasBegun.increment()
                  Self.tick(stall.isOnMain ? 5 : 33)
                  #expect(isReported.wait(timeout: .now() + waitLimit) == .success, "\(stall.name) is not reported")
                  Self.tick(40)
                  hasEnded.signal()
                }, context)
            }
            await hasEnded.wait(for: "the end of \(stall.name)")
            let found = heard.takeAll()
            let step = stall.step.flatMap {
              Symbols.areKnown ? "PlantedStalls.swift:\(line + $0)" : Self.findAddress(in: found)
            }
            let expected = PromiseDiagnostic.longCallback(
              origin: "DiagnosticsTests/PlantedStalls.swift:\(line)", step: step,
              queue: stall.isOnMain ? "the main queue" : "the queue planted",
              duration: Self.never * (stall.isOnMain ? 1 : 8))
            #expect(found == [expected], "\(stall.name): \(found)")
            #expect(hasBegun.count == 1, "\(stall.name)")
          }
        }
      }
    }

    @Test("15.44 a callback within the limit is not reported")
    func withinLimit() async {
      await #expect(processExitsWith: .success) {
        let heard = await Self.begin()
        await Self.onMain { Self.tick(4) }
        let queue = DispatchQueue(label: "serial")
        _ = await Subject(fulfilled: 1).then(on: .queue(queue)) { _ in Self.tick(32) }.outcome()
        #expect(heard.entries == [], "\(heard.entries)")
      }
    }

    @Test("15.45 the outer callback is reported if many inner ones are too long only together")
    func innerCallbacks() async {
      await #expect(processExitsWith: .success) {
        let heard = await Self.begin()
        let line = await MainActor.run { Self.runShortInnerCallbacks() }
        await Self.settle()
        Self.check(heard, hasReportOf: line)
      }
    }

    @Test("15.45 the time of a reported inner callback does not count for the outer one")
    func reportedInnerCallback() async {
      await #expect(processExitsWith: .success) {
        let heard = await Self.begin()
        let line = await MainActor.run { Self.runLongInnerCallback() }
        await Self.settle()
        Self.check(heard, hasReportOf: line)
      }
    }

    @Test("15.44 callbacks on concurrent queues, global queues and actors are not reported")
    func otherContexts() async {
      await #expect(processExitsWith: .success) {
        let heard = await Self.begin()
        let queue = DispatchQueue(label: "concurrent", attributes: .concurrent)
        let contexts: [PromiseContext] = [.queue(queue), .queue(.global()), .utility, .actor(Bystander())]
        for context in contexts {
          _ = await Subject(fulfilled: 1).then(on: context) { _ in Self.tick(40) }.outcome()
        }
        #expect(heard.entries == [], "\(heard.entries)")
      }
    }

    @Test("15.55 a concurrent queue that is suspended or has a waiting barrier is not reported")
    func concurrentButClosed() async {
      await #expect(processExitsWith: .success) {
        let heard = await Self.begin()
        let queue = DispatchQueue(label: "concurrent", attributes: .concurrent)
        let first = Subject(fulfilled: 1).then(on: .queue(queue)) { _ in
          queue.async(flags: .barrier) {}
          Self.tick(40)
        }
        _ = await first.outcome()
        let second = Subject(fulfilled: 1).then(on: .queue(queue)) { _ in
          queue.suspend()
          Self.tick(40)
          queue.resume()
        }
        _ = await second.outcome()
        #expect(heard.entries == [], "\(heard.entries)")
      }
    }

    @Test("15.55 only serial queues are known to be serial, whatever their state")
    func kinds() {
      let serial = DispatchQueue(label: "serial")
      let concurrent = DispatchQueue(label: "concurrent", attributes: .concurrent)
      let targeting = DispatchQueue(label: "serial on concurrent", target: concurrent)
      for _ in 0..<2 {
        #expect(serial.isKnownSerial && targeting.isKnownSerial)
        #expect(!concurrent.isKnownSerial && !DispatchQueue.global().isKnownSerial)
        for queue in [serial, concurrent] { queue.suspend() }
      }
      for queue in [serial, concurrent] {
        queue.resume()
        queue.resume()
      }
    }

    #if DEBUG && os(Linux)
      @Test("15.56 the look-up of lines does not count for the callback that needs it")
      func lookUp() async {
        await #expect(processExitsWith: .success) {
          let heard = await Self.begin()
          Symbols.read { _ in
            StallWatch.tick()
            return []
          }
          await Self.onMain {
            let (promise, resolver) = Subject.makeWithResolver()
            withExtendedLifetime((promise.map(on: .immediate) { $0 }, resolver)) { _ = PromiseDiagnostics.pending() }
            Self.tick(4)
          }
          #expect(heard.entries == [], "\(heard.entries)")
        }
      }
    #endif

    @Test("15.44 an async closure that is suspended on the main actor is not reported")
    func suspended() async {
      await #expect(processExitsWith: .success) {
        let heard = await Self.begin()
        let promise = await MainActor.run {
          Promise<Int, any Error> { @MainActor in
            for _ in 0..<20 {
              await Task.yield()
              await Task.detached { Self.tick(1) }.value
            }
            return 1
          }
        }
        #expect(await promise.outcome("the async closure")?.value == 1)
        #expect(heard.entries == [], "\(heard.entries)")
      }
    }

    @Test("15.45 a blocking wait in a callback is reported as one of the two")
    func waits() async {
      await #expect(processExitsWith: .success) {
        let heard = await Self.begin()
        let wait: @Sendable (_ ticks: Int, Bool) -> Void = { ticks, isLong in
          let (promise, resolver) = Subject.makeWithResolver()
          PromiseDiagnostics.handler = {
            heard.record($0.withoutPlace)
            if isLong { resolver.fulfill(with: 1) }
          }
          DispatchQueue.global().async {
            Self.tick(ticks)
            if !isLong { resolver.fulfill(with: 1) }
          }
          _ = try? promise.block(until: nil, lookingEvery: isLong ? .milliseconds(50) : .seconds(3600))
        }
        // The wait is reported, so the callback is not.
        await Self.onMain { wait(0, true) }
        #expect(heard.takeAll() == [.longWait(origin: nil, waitsFor: "its resolver")])
        // The wait ends before it is reported, and its time counts for the callback.
        await Self.onMain { while heard.entries.isEmpty { wait(5, false) } }
        #expect(heard.takeAll() == [.longCallback(origin: nil, queue: "the main queue", duration: Self.never)])
      }
    }

    @Test("15.46 the timer reports a callback that still runs, and stops when no callback runs")
    func timer() async {
      await #expect(processExitsWith: .success) {
        _ = await Self.begin()
        PromiseDiagnostics.stallLimit = .milliseconds(1)
        for _ in 0..<3 {
          let isReported = DispatchSemaphore(value: 0)
          PromiseDiagnostics.handler = { _ in isReported.signal() }
          await Self.onMain { #expect(isReported.wait(timeout: .now() + waitLimit) == .success) }
          await until("the timer to stop") { !StallWatch.isTicking }
        }
      }
    }

    @Test("15.46 without a limit, or at off, no callback is reported")
    func off() async {
      await #expect(processExitsWith: .success) {
        let heard = await Self.begin()
        PromiseDiagnostics.stallLimit = nil
        #expect(PromiseDiagnostics.stallLimit == nil)
        await Self.onMain { Self.tick(30) }
        PromiseDiagnostics.stallLimit = Self.never
        PromiseDiagnostics.level = .off
        await Self.onMain { Self.tick(30) }
        #expect(heard.entries == [], "\(heard.entries)")
      }
    }

    @Test("15.12 15.46 the limit is between 1 millisecond and 1000 seconds")
    func bounds() async {
      await #expect(processExitsWith: .success) {
        #expect(PromiseDiagnostics.stallLimit == .milliseconds(250))
        PromiseDiagnostics.stallLimit = .milliseconds(100)
        let found = reports {
          PromiseDiagnostics.stallLimit = .zero
          #expect(PromiseDiagnostics.stallLimit == .milliseconds(1))
          PromiseDiagnostics.stallLimit = .seconds(2000)
          #expect(PromiseDiagnostics.stallLimit == .seconds(1000))
        }
        #expect(found.count == 2, "\(found)")
      }
    }

    @Test("15.44 a long callback is printed and does not stop the program", arguments: [false, true])
    func printed(traps: Bool) async throws {
      let result = try await ExitArgument.passing(traps) {
        await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
          let traps = try ExitArgument.taken(Bool.self)
          _ = await Self.begin()
          PromiseDiagnostics.level = traps ? .trap : .print
          for _ in 0..<2 { await MainActor.run { Self.stall() } }
        }
      }
      let lines = ownLines(in: result?.standardErrorContent ?? [])
      let start = "Overmorrow: DiagnosticsTests/StallTests.swift:\(Self.stallLine): a callback of this promise has kept"
      #expect(lines.count == 1)
      #expect(lines.first?.hasPrefix("\(start) the main queue for longer than 1000.0 seconds. ") == true, "\(lines)")
    }

    @Test("15.47 200 random programs whose callbacks are within the limit have no report")
    func noFalseAlarms() async {
      await #expect(processExitsWith: .success) {
        let heard = await Self.begin()
        for seed in 0..<200 {
          await RandomCallbacks(seed: UInt64(seed)).run()
          let found = heard.takeAll()
          #expect(found == [], "seed \(seed): \(found)")
        }
      }
    }

    // MARK: Helpers

    /// Returns the step of a report if it is an address in this program, which a debug build has without lines.
    private static func findAddress(in found: [PromiseDiagnostic]) -> String? {
      guard case .longCallback(_, let step?, _, _) = found.first, step.contains(".xctest+0x") else { return nil }
      return step
    }

    /// A limit whose timer does not tick while a test runs.
    private static var never: Duration { .seconds(1000) }

    private static let stallLine = #line + 3
    @MainActor
    private static func stall() {
      Subject(fulfilled: 1).then(on: .immediate) { _ in tick(5) }
    }

    // The next functions are not inside tests, because a macro puts all code in its argument on one line.

    /// Runs callbacks in a callback on the main queue, and returns the line of the outer promise.
    @MainActor
    private static func runShortInnerCallbacks() -> Int {
      Subject(fulfilled: 1).then(on: .immediate) { _ in
        for number in 0..<5 { Subject(fulfilled: number).then(on: .immediate) { _ in tick(1) } }
      }
      return #line - 3
    }

    /// Runs a long callback in another callback on the main queue, and returns the line of the inner promise.
    @MainActor
    private static func runLongInnerCallback() -> Int {
      Subject(fulfilled: 1).then(on: .immediate) { _ in
        Subject(fulfilled: 2).then(on: .immediate) { _ in tick(30) }
        tick(4)
      }
      return #line - 3
    }

    private static func check(_ heard: Recorder<PromiseDiagnostic>, hasReportOf line: Int) {
      let origin = "DiagnosticsTests/StallTests.swift:\(line)"
      let expected = PromiseDiagnostic.longCallback(origin: origin, queue: "the main queue", duration: never)
      #expect(heard.entries == [expected], "\(heard.entries) is not \(expected)")
    }

    /// Runs a callback on the main queue, inside the call that registers it.
    private static func onMain(_ callback: @escaping @Sendable () -> Void) async {
      await MainActor.run { _ = Subject(fulfilled: 1).then(on: .immediate) { _ in callback() } }
    }

    private static func tick(_ count: Int) { for _ in 0..<count { StallWatch.tick() } }

    /// Waits for reports that were submitted to the queue of the watch.
    private static func settle() async {
      let isDone = Latch()
      StallWatch.queue.async { isDone.signal() }
      await isDone.wait(for: "the reports")
    }

    /// Begins to record reports, and waits until the main queue is served.
    ///
    /// The callback that ends the first wait still keeps the main queue, and ticks of a test would count for it. So a
    /// second block is awaited, which begins after that callback has ended.
    private static func begin() async -> Recorder<PromiseDiagnostic> {
      let heard = Recorder<PromiseDiagnostic>()
      PromiseDiagnostics.level = .report
      PromiseDiagnostics.stallLimit = never
      PromiseDiagnostics.handler = { if Finding($0).isAboutTime { heard.record($0) } }
      _ = await Subject(fulfilled: 1).then(on: .main) { _ in }.outcome("the main queue to be served")
      await MainActor.run {}
      return heard
    }
  }

  private actor Bystander {}
#endif
