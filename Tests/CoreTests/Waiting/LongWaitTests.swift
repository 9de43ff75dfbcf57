#if os(macOS) || os(Linux)
  import Dispatch
  import Testing

  @testable import Overmorrow

  /// The reports of long waits. Each test runs in its own process, because the level and the handler are global. The
  /// waits are reported after a millisecond instead of a second.
  @Suite(.heavy, .enabled(if: isLevelUnset)) struct LongWaitTests {
    private static let firstLine = #line + 4

    /// Waits for a promise that is fulfilled when the wait is reported, and returns the reports.
    private static func waitUntilReported() -> [PromiseDiagnostic] {
      let (promise, resolver) = Promise<Int, Never>.makeWithResolver()
      let heard = Recorder<PromiseDiagnostic>()
      PromiseDiagnostics.handler = {
        heard.record($0)
        resolver.fulfill(with: 7)
      }
      let step = promise.map(on: .immediate) { $0 + 1 }
      let result = try? step.block(until: nil, lookingEvery: .milliseconds(1))
      return result == .value(8) ? heard.entries : []
    }

    /// Waits for a promise until a deadline, and returns the number of reports.
    private static func countReports(at level: PromiseDiagnostics.Level) -> Int {
      PromiseDiagnostics.level = level
      let (promise, resolver) = Promise<Int, Never>.makeWithResolver()
      let heard = Recorder<PromiseDiagnostic>()
      PromiseDiagnostics.handler = { heard.record($0) }
      _ = try? promise.block(until: .now + .milliseconds(30), lookingEvery: .milliseconds(1))
      PromiseDiagnostics.handler = nil
      resolver.cancel()
      return heard.entries.count
    }

    @Test("15.36 a wait is reported after a second")
    func interval() { #expect(BlockingWait.interval == .seconds(1)) }

    @Test("15.36 a long wait on the main queue is reported with its cause")
    func onMain() async {
      await #expect(processExitsWith: .success) {
        PromiseDiagnostics.level = .report
        let found = await MainActor.run { Self.waitUntilReported() }
        let cause = "a promise before it, which waits for its resolver"
        #expect(found == [.longWait(origin: "CoreTests/LongWaitTests.swift:\(Self.firstLine)", waitsFor: cause)])
      }
    }

    @Test("15.36 only long waits on the threads of queues are reported")
    func onOtherThreads() async {
      await #expect(processExitsWith: .success) {
        PromiseDiagnostics.level = .report
        for queue in [DispatchQueue.global(), .global(qos: .utility), DispatchQueue(label: "serial")] {
          let (found, done) = (Holder<[PromiseDiagnostic]>(), Latch())
          queue.async {
            found.value = Self.waitUntilReported()
            done.signal()
          }
          await done.wait(for: "a report of a wait")
          #expect(found.value?.count == 1, "\(queue.label)")
        }
        #expect(onThread { Self.countReports(at: .report) } == 0)
      }
    }

    @Test("15.36 a long wait is reported once, and not if its promise is not watched")
    func once() async {
      await #expect(processExitsWith: .success) {
        await MainActor.run {
          #expect(Self.countReports(at: .report) == 1)
          #expect(Self.countReports(at: .off) == 0)
        }
      }
    }

    @Test("15.36 a long wait is printed and does not stop the program", arguments: [false, true])
    func printed(traps: Bool) async throws {
      let result = try await ExitArgument.passing(traps) {
        await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
          let traps = try ExitArgument.taken(Bool.self)
          PromiseDiagnostics.level = traps ? .trap : .print
          _ = await MainActor.run { Self.waitUntilReported() }
        }
      }
      #expect(
        ownLines(in: result?.standardErrorContent ?? []) == [
          "Overmorrow: CoreTests/LongWaitTests.swift:\(Self.firstLine): a wait for this promise has blocked a thread of "
            + "its queue for a second; the promise waits for a promise before it, which waits for its resolver. Use a "
            + "callback or await, or wait on another thread."
        ])
    }
  }
#endif
