#if os(macOS) || os(Linux)
  import Dispatch
  import Foundation
  import Overmorrow
  import Testing

  /// Correct programs, for which nothing is reported. Each test runs in its own process, because the level and the
  /// handler are global.
  @Suite(.heavy, .enabled(if: isLevelUnset)) struct NoFalseAlarmTests {
    private typealias Subject = Promise<Int, Reason>

    @Test("15.13 an error that is read now or later is not reported")
    func lookedAt() async {
      await #expect(processExitsWith: .success) {
        // In a scope, this promise would still be pending.
        let afterDelay: @Sendable (Subject) -> Void = { promise in
          promise.tap().delay(on: .immediate, .zero).catch(on: .immediate) { _ in }
        }
        ErrorObservation.check(andBy: [afterDelay], reports)
      }
    }

    @Test("15.13 an error that is awaited, waited for or read later is not reported")
    func awaited() async {
      await #expect(processExitsWith: .success) {
        let heard = Recorder<PromiseDiagnostic>()
        PromiseDiagnostics.level = .report
        PromiseDiagnostics.handler = { heard.record($0) }
        let kept = Promise<Int, any Error> { throw Refusal.first }
        kept.then(on: .immediate) { _ in }
        _ = try? await kept.value
        _ = await Subject(on: .utility) { $0.reject(with: "no") }.finalResult
        for await _ in PromiseCompletionOrder(of: [Subject(rejected: "no")]) {}
        try await onOwnThread("the blocking wait") {
          _ = try? Subject(on: .utility) { $0.reject(with: "no") }.wait(timeout: .seconds(60))
        }
        #expect(heard.entries == [])
      }
    }

    @Test("15.13 errors discarded by design and resolvers not needed are not reported")
    func correctCode() async {
      await #expect(processExitsWith: .success) {
        for correctCode in CorrectCode.discardedErrors + CorrectCode.resolvers + [CorrectCode.droppedBody] {
          let found = reports(correctCode.make)
          #expect(found == [], "\(correctCode.name): \(found)")
        }
      }
    }

    @Test("15.13 a second call that a careful program may make is not reported")
    func secondCalls() async {
      await #expect(processExitsWith: .success) {
        let results = Ending.allCases.map { $0.result(1, "no" as Reason) }
        for first in results {
          for second in results where first == second || first.isCancelled || second.isCancelled {
            let found = reports {
              let (promise, resolver) = Subject.makeWithResolver()
              promise.tap(on: .immediate) { _ in }
              resolver.resolve(with: first)
              resolver.resolve(with: second)
            }
            #expect(found == [], "\(first), then \(second)")
          }
        }
      }
    }

    @Test("15.13 a result that loses to another thread or comes later is not reported")
    func lateResults() async {
      await #expect(processExitsWith: .success) {
        let found = reports {
          let (promise, resolver) = Subject.makeWithResolver()
          resolver.fulfill(with: 1)
          let done = DispatchSemaphore(value: 0)
          Thread.detachNewThread {
            resolver.reject(with: "too late")
            done.signal()
          }
          done.wait()
          // This sleep does not wait for a result: the elapsed time is what is tested.
          _ = DispatchSemaphore(value: 0).wait(timeout: .now() + .milliseconds(150))
          resolver.reject(with: "too late")
          withExtendedLifetime(promise) {}
        }
        #expect(found == [], "\(found)")
      }
    }

    @Test("15.13 a failure that races with observers on other threads is not reported")
    func races() async {
      await #expect(processExitsWith: .success) {
        PromiseDiagnostics.level = .report
        let heard = Counter()
        PromiseDiagnostics.handler = { _ in heard.increment() }
        await race(
          rounds: 1000, { Subject.makeWithResolver() }, { $0.1.reject(with: "no") },
          { $0.0.catch(on: .immediate) { _ in } },
          { _ = $0.0.map(on: .immediate) { $0 }.then(on: .immediate) { _ in } },
          check: { _ in nil })
        #expect(heard.count == 0)
      }
    }
  }
#endif
