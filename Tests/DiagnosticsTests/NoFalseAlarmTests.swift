#if os(macOS) || os(Linux)
  import Dispatch
  import Foundation
  import Overmorrow
  import OvermorrowTesting
  import Testing

  /// What is no mistake, and so is not reported. In processes of their own, as the level and the handler are one for all.
  @Suite(.heavy, .enabled(if: nothingIsSet)) struct NoFalseAlarmTests {
    private typealias Subject = Promise<Int, Reason>

    @Test("15.13 an error that is looked at, anywhere down any chain, now or later, is not reported")
    func lookedAt() async {
      await #expect(processExitsWith: .success) {
        let looks: [(Subject) -> Void] = [
          { $0.catch(on: .immediate) { _ in } },
          { $0.always(on: .immediate) { _ in } },
          { $0.tap(on: .immediate) { _ in } },
          { _ = $0.recover(on: .immediate) { _ in 1 } },
          { _ = $0.mapError(on: .immediate) { $0 } },
          { _ = $0.flatMapError(on: .immediate) { Subject(rejected: $0).tap(on: .immediate) { _ in } } },
          { $0.map(on: .immediate) { $0 }.then(on: .immediate) { _ in }.catch(on: .immediate) { _ in } },
          {
            $0.then(on: .immediate) { _ in }
            $0.catch(on: .immediate) { _ in }
          },
          {
            $0.catch(on: .immediate) { _ in }.then(on: .immediate) { _ in }
            $0.then(on: .immediate) { _ in }
          },
          { promise in
            Subject(fulfilled: 1).flatMap(on: .immediate) { _ in promise }.catch(on: .immediate) { _ in }
            promise.then(on: .immediate) { _ in }
          },
          { promise in Subject(on: .immediate) { $0.resolve(with: promise) }.catch(on: .immediate) { _ in } },
          { $0.makeChild().ignoringCancel().tap().delay(on: .immediate, .zero).catch(on: .immediate) { _ in } },
          { when(fulfilled: [$0, $0.map(on: .immediate) { $0 }]).catch(on: .immediate) { _ in } },
          { _ = when(settled: [$0]) },
          { $0.timeout(on: .immediate, .seconds(60)).catch(on: .immediate) { _ in } },
          { $0.catch(on: .immediate, token: PromiseInvalidationToken()) { _ in } },
          { $0.catch(on: .executor(DroppingExecutor())) { _ in } },
        ]
        for (index, look) in looks.enumerated() {
          let atOnce = reports { look(Subject(rejected: "no")) }
          #expect(atOnce == [], "\(index): \(atOnce)")
          let later = reports {
            let (promise, resolver) = Subject.makeWithResolver()
            look(promise)
            resolver.reject(with: "no")
          }
          #expect(later == [], "\(index), later: \(later)")
        }
      }
    }

    @Test(
      "15.13 an error that is awaited, or waited for, or looked at after its promise has been kept, is not reported")
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
        let done = Latch()
        await withCheckedContinuation { continuation in
          let thread = Thread {
            _ = try? Subject(on: .utility) { $0.reject(with: "no") }.wait(timeout: .seconds(60))
            done.signal()
            continuation.resume()
          }
          thread.start()
        }
        await done.wait(for: "the blocking wait")
        #expect(heard.entries == [])
      }
    }

    @Test("15.13 errors that an operator discards by design are not reported")
    func discarded() async {
      await #expect(processExitsWith: .success) {
        let clock = TestClock()
        func pair() -> (Subject, Subject.Resolver) { Subject.makeWithResolver() }
        let cases: [(String, () -> Void)] = [
          (
            "a second failure of when",
            {
              let ((one, first), (other, second)) = (pair(), pair())
              when(fulfilled: [one, other]).catch(on: .immediate) { _ in }
              first.reject(with: "no")
              second.reject(with: "neither")
            }
          ),
          (
            "the loser of a race",
            {
              let ((one, first), (other, second)) = (pair(), pair())
              when(first: [one, other]).catch(on: .immediate) { _ in }
              first.fulfill(with: 1)
              second.reject(with: "late")
            }
          ),
          (
            "failures before the first success",
            {
              let ((one, first), (other, second)) = (pair(), pair())
              when(firstFulfilled: [one, other]).catch(on: .immediate) { _ in }
              first.reject(with: "no")
              second.fulfill(with: 1)
            }
          ),
          (
            "late for a timeout",
            {
              let (promise, resolver) = pair()
              promise.timeout(on: .immediate, .seconds(1), clock: clock).catch(on: .immediate) { _ in }
              clock.run()
              resolver.reject(with: "late")
            }
          ),
          (
            "attempts before the last",
            {
              let policy = PromiseRetryPolicy<Reason>(attempts: 3, backoff: .constant(.seconds(1)))
              Subject.retry(policy, on: .immediate, clock: clock) { number in
                number < 3 ? Subject(rejected: "no") : Subject(fulfilled: 1)
              }.catch(on: .immediate) { _ in }
              clock.run()
            }
          ),
          (
            "a cached failure that one caller has looked at",
            {
              let cache = PromiseCache<Int, Int, Reason>(failureTimeToLive: .seconds(1), clock: clock)
              for _ in 0..<2 {
                cache.promise(for: 1, on: .immediate) { _ in Subject(rejected: "no") }.catch(on: .immediate) { _ in }
              }
              cache.removeAll()
            }
          ),
          (
            "a job whose error is caught",
            { PromiseLimiter(width: 1).run(on: .immediate) { Subject(rejected: "no") }.catch(on: .immediate) { _ in } }
          ),
          (
            "a failure after a request to cancel",
            {
              let (promise, resolver) = pair()
              let child = promise.then(on: .immediate) { _ in }
              promise.requestCancel()
              child.requestCancel()
              resolver.reject(with: "stopped")
            }
          ),
          (
            "a job that fails after all callers have asked",
            {
              let (promise, resolver) = pair()
              let job = PromiseLimiter(width: 1).run(on: .immediate) { promise }
              job.requestCancel()
              resolver.reject(with: "stopped")
            }
          ),
          ("a cancellation that is thrown", { _ = Promise<Int, any Error>(rejected: CancellationError()) }),
          (
            "an owner that is gone",
            {
              let (promise, resolver) = Promise<Int, any Error>.makeWithResolver()
              let holder = Holder<Holder<Int>>(Holder(1))
              if let owner = holder.value { promise.bound(to: owner).then(on: .immediate) { _, _ in } }
              holder.value = nil
              resolver.fulfill(with: 1)
            }
          ),
        ]
        for (name, body) in cases {
          let found = reports(body)
          #expect(found == [], "\(name): \(found)")
        }
      }
    }

    @Test("15.13 a resolver that is used, or that nobody needs any more, is not reported")
    func resolvers() async {
      await #expect(processExitsWith: .success) {
        let cases: [(String, () -> Void)] = [
          ("cancelled", { _ = Subject(on: .immediate) { $0.cancel() } }),
          ("fulfilled", { _ = Subject(on: .immediate) { $0.fulfill(with: 1) } }),
          (
            "adopting",
            {
              let (promise, resolver) = Subject.makeWithResolver()
              _ = Subject(on: .immediate) { $0.resolve(with: promise) }
              resolver.fulfill(with: 1)
            }
          ),
          (
            "dropped when the work was cancelled",
            {
              let (promise, resolver) = Subject.makeWithResolver()
              resolver.onRequestCancel(on: .immediate) { _ in }
              promise.requestCancel()
            }
          ),
          (
            "left to the cancel handler",
            {
              let promise = Subject(on: .immediate) { $0.onRequestCancel(on: .immediate) { $0.cancel() } }
              promise.requestCancel()
            }
          ),
          (
            "gone behind its promise",
            {
              var pair: (promise: Subject?, resolver: Subject.Resolver?) = Subject.makeWithResolver()
              drop(&pair.promise)
              drop(&pair.resolver)
            }
          ),
          ("never asked for", { _ = LazyPromise<Int, Reason>(on: .immediate) { _ in } }),
          ("dropped by an executor", { _ = Subject(on: .executor(DroppingExecutor())) { $0.fulfill(with: 1) } }),
          (
            "a job that an executor drops",
            { _ = PromiseLimiter(width: 1).run(on: .executor(DroppingExecutor())) { Subject(fulfilled: 1) } }
          ),
        ]
        for (name, body) in cases {
          let found = reports(body)
          #expect(found == [], "\(name): \(found)")
        }
      }
    }

    @Test("15.13 a second call that a careful program may make is not reported")
    func secondCalls() async {
      await #expect(processExitsWith: .success) {
        let (error, value) = (PromiseResult<Int, Reason>.error("no"), PromiseResult<Int, Reason>.value(1))
        let pairs: [(PromiseResult<Int, Reason>, PromiseResult<Int, Reason>)] = [
          (value, value), (error, error), (value, .cancelled), (error, .cancelled), (.cancelled, value),
          (.cancelled, error),
        ]
        for (first, second) in pairs {
          let found = reports {
            let (promise, resolver) = Subject.makeWithResolver()
            promise.tap(on: .immediate) { _ in }
            resolver.resolve(with: first)
            resolver.resolve(with: second)
          }
          #expect(found == [], "\(first), then \(second)")
        }
        let asked = reports {
          let (promise, resolver) = Subject.makeWithResolver()
          promise.requestCancel()
          resolver.fulfill(with: 1)
          resolver.reject(with: "no")
        }
        #expect(asked == [])
        let adopting = reports {
          let (promise, resolver) = Subject.makeWithResolver()
          resolver.resolve(with: Subject(fulfilled: 1))
          resolver.reject(with: "no")
          withExtendedLifetime(promise) {}
        }
        #expect(adopting == [])
      }
    }

    @Test("15.13 a result that loses against another one on another thread, or later, is not reported")
    func handMadeRaces() async {
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
          // Not sleeping for a result: it is the time itself that is tested.
          _ = DispatchSemaphore(value: 0).wait(timeout: .now() + .milliseconds(150))
          resolver.reject(with: "too late")
          withExtendedLifetime(promise) {}
        }
        #expect(found == [], "\(found)")
      }
    }

    @Test("15.13 fulfilling and failing observers on several threads report nothing, and each failure once")
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

  /// As assigning `nil`, but the compiler does not miss a use of the variable.
  private func drop<T>(_ variable: inout T?) { variable = nil }
#endif
