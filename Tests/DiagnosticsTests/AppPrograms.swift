import Dispatch
import Overmorrow
import OvermorrowFlow
import TestSupport
import Testing

/// A service whose answers come from another thread, some of them late.
final class Backend: Sendable {
  typealias Answer = Promise<Int, any Error>

  struct Offline: Error {}

  private let pending = DispatchGroup()

  /// Asks for a number.
  ///
  /// - Parameters:
  ///   - microseconds: The time until the answer.
  ///   - fails: Whether the answer is an error.
  func get(_ number: Int, in microseconds: Int = 0, fails: Bool = false) -> Answer {
    pending.enter()
    return Answer(on: .immediate) { [pending] resolver in
      DispatchQueue.global().asyncAfter(deadline: .now() + .microseconds(microseconds)) {
        if fails { resolver.reject(with: Offline()) } else { resolver.fulfill(with: number) }
        pending.leave()
      }
    }
  }

  /// Asks for a number and derives the answer, as most programs do.
  func load(_ number: Int, in microseconds: Int = 0, fails: Bool = false) -> Answer {
    get(number, in: microseconds, fails: fails).map(on: .utility) { $0 + 1 }.tap()
  }

  /// Waits until all answers have come.
  func wait() async {
    await withCheckedContinuation { continuation in pending.notify(queue: .global()) { continuation.resume() } }
  }
}

/// Correct programs of the kinds that apps have. Each of them handles its errors, and ends some work early.
struct AppProgram: Sendable {
  let name: String
  let run: @Sendable (Backend) async throws -> Void

  init(_ name: String, _ run: @escaping @Sendable (Backend) async throws -> Void) {
    (self.name, self.run) = (name, run)
  }

  static let all = searches + feeds + retries + parts + screens + tasks

  private static let searches = [
    AppProgram("a search whose token is invalidated by the next one") { backend in
      let token = PromiseInvalidationToken()
      for number in 0..<3 {
        token.invalidate()
        backend.load(number, in: 100, fails: number < 2)
          .then(on: .immediate, token: token) { _ in }.catch(on: .immediate, token: token) { _ in }
      }
      _ = await backend.load(4).finalResult
    },
    AppProgram("a search whose owner is replaced by the next one") { backend in
      var owner: PromiseCancellable?
      for number in 0..<3 {
        owner = backend.load(number, in: 100, fails: true).catch(on: .immediate) { _ in }.owned()
      }
      withExtendedLifetime(owner) {}
    },
    AppProgram("a search that waits for a pause in the typing") { backend in
      let token = PromiseInvalidationToken()
      for number in 0..<3 {
        token.invalidate()
        Promise<Int, any Error>(fulfilled: number).delay(on: .utility, .microseconds(50))
          .flatMap(on: .utility, token: token) { backend.load($0, fails: true) }
          .catch(on: .utility, token: token) { _ in }
      }
    },
    AppProgram("a search in two services") { backend in
      _ = await when(firstFulfilled: [backend.load(1, in: 100, fails: true), backend.load(2), backend.load(3)])
        .finalResult
    },
  ]

  private static let feeds = [
    AppProgram("two parts of a page, both fail") { backend in
      _ = await when(fulfilled: [backend.load(1, fails: true), backend.load(2, in: 200, fails: true)])
        .catch(on: .utility) { _ in }.finalResult
    },
    AppProgram("a page of two kinds of parts, both fail") { backend in
      _ = await when(fulfilled: backend.load(1, fails: true), backend.load(2, in: 100, fails: true).map { "\($0)" })
        .catch(on: .utility) { _ in }.finalResult
    },
    AppProgram("images by name, all fail") { backend in
      let images = ["a": backend.load(1, fails: true), "b": backend.load(2, in: 100, fails: true)]
      _ = await when(fulfilled: images).recover(on: .utility) { _ in [:] }.finalResult
    },
    AppProgram("ten pages, three at a time, all fail") { backend in
      _ = await when(fulfilled: 0..<10, maxConcurrent: 3, on: .utility) { backend.load($0, in: 20 * $0, fails: true) }
        .catch(on: .utility) { _ in }.finalResult
    },
    AppProgram("ten pages that are cancelled after a failure") { backend in
      _ = await when(fulfilled: 0..<10, maxConcurrent: 3, cancelOnFailure: true, on: .utility) {
        backend.load($0, in: 20 * $0, fails: true)
      }.catch(on: .utility) { _ in }.finalResult
    },
    AppProgram("settled parts") { backend in
      _ = await when(settled: [backend.load(1, fails: true), backend.load(2)]).finalResult
    },
    AppProgram("the faster of two mirrors") { backend in
      _ = await when(first: [backend.load(1), backend.load(2, in: 200, fails: true)]).finalResult
    },
    AppProgram("the faster of two mirrors, the other one cancelled") { backend in
      _ = await when(first: [backend.load(1), backend.load(2, in: 200, fails: true)], cancelRemaining: true).finalResult
    },
    AppProgram("two parts that are joined") { backend in
      _ = await when(fulfilled: [backend.load(1, fails: true), backend.load(2, in: 100, fails: true)], joining: true)
        .catch(on: .utility) { _ in }.finalResult
    },
  ]

  private static let retries = [
    AppProgram("a retry that succeeds") { backend in
      _ = try await Backend.Answer.retry(quick, on: .utility) { backend.load($0, fails: $0 < 3) }.value
    },
    AppProgram("a retry that gives up") { backend in
      _ = await Backend.Answer.retry(quick, on: .utility) { backend.load($0, fails: true) }
        .catch(on: .utility) { _ in }.finalResult
    },
    AppProgram("a retry that is cancelled") { backend in
      let retry = Backend.Answer.retry(quick, on: .utility) { backend.load($0, in: 50, fails: true) }
      retry.catch(on: .utility) { _ in }.requestCancel()
      retry.requestCancel()
    },
    AppProgram("an async retry") { backend in
      _ = try? await withRetry(quick) { _ in try await backend.load(1, fails: true).value }
    },
    AppProgram("a timeout before a late failure") { backend in
      _ = await backend.load(1, in: 300, fails: true).timeout(on: .utility, .microseconds(20))
        .catch(on: .utility) { _ in }.finalResult
    },
    AppProgram("a timeout with a value in its place") { backend in
      _ = await backend.load(1, in: 300, fails: true).timeout(on: .utility, .microseconds(20))
        .recover(on: .utility) { _ in 0 }.finalResult
    },
    AppProgram("an async timeout") { backend in
      _ = try? await withTimeout(.microseconds(20)) { try await backend.load(1, in: 300, fails: true).value }
    },
    AppProgram("attempts with timeouts") { backend in
      _ = await Backend.Answer.retry(quick, on: .utility) {
        backend.load($0, in: 200, fails: true).timeout(on: .utility, .microseconds(20)).mapError { $0 as any Error }
      }.catch(on: .utility) { _ in }.finalResult
    },
    AppProgram("a refreshed token") { backend in
      _ = try await backend.load(1, fails: true)
        .flatMapError(on: .utility) { _ in backend.load(2).flatMap(on: .utility) { _ in backend.load(3) } }.value
    },
    AppProgram("a token that several requests refresh once") { backend in
      let tokens = PromiseCache<Int, Int, any Error>()
      let requests = (0..<4).map { number in
        backend.load(number, fails: true).flatMapError(on: .utility) { _ in
          tokens.promise(for: 0, on: .utility) { _ in backend.load(0, in: 50) }
        }
      }
      _ = try await when(fulfilled: requests).value
    },
    AppProgram("a hedge whose first attempt fails late") { backend in
      _ = await Backend.Answer.hedge(after: .microseconds(20), on: .utility) {
        backend.load($0, in: $0 == 1 ? 300 : 0, fails: $0 == 1)
      }.catch(on: .utility) { _ in }.finalResult
    },
    AppProgram("a hedge whose attempts all fail") { backend in
      _ = await Backend.Answer.hedge(after: .microseconds(20), on: .utility) { backend.load($0, in: 50, fails: true) }
        .catch(on: .utility) { _ in }.finalResult
    },
  ]

  private static var quick: PromiseRetryPolicy<any Error> {
    PromiseRetryPolicy(attempts: 3, backoff: .constant(.microseconds(10)))
  }

  private static let parts = [
    AppProgram("a load of a cache that fails for several callers") { backend in
      let cache = PromiseCache<Int, Int, any Error>()
      let callers = (0..<4).map { _ in
        cache.promise(for: 1, on: .utility) { backend.load($0, in: 50, fails: true) }
      }
      for caller in callers { caller.catch(on: .utility) { _ in } }
    },
    AppProgram("parts from a cache, all fail") { backend in
      let cache = PromiseCache<Int, Int, any Error>()
      let parts = (0..<4).map { number in
        cache.promise(for: number, on: .utility) { backend.load($0, in: 50 * $0, fails: true) }
      }
      _ = await when(fulfilled: parts).catch(on: .utility) { _ in }.finalResult
    },
    AppProgram("a cache that a caller leaves") { backend in
      let (cache, token) = (PromiseCache<Int, Int, any Error>(), PromiseInvalidationToken())
      cache.promise(for: 1, on: .utility) { backend.load($0, in: 50, fails: true) }
        .catch(on: .utility, token: token) { _ in }
      token.invalidate()
      _ = try? await cache.value(for: 2) { try await backend.load($0, fails: true).value }
    },
    AppProgram("jobs of a limiter, all fail") { backend in
      let limiter = PromiseLimiter(width: 2)
      let jobs = (0..<5).map { number in limiter.run(on: .utility) { backend.load(number, in: 20, fails: true) } }
      _ = await when(fulfilled: jobs).catch(on: .utility) { _ in }.finalResult
    },
    AppProgram("a turn of a limiter that fails") { backend in
      _ = try? await PromiseLimiter(width: 1).perform { try await backend.load(1, fails: true).value }
    },
    AppProgram("work behind a gate that closes") { backend in
      let gate = PromiseGate()
      let work = (0..<3).map { number in gate.run { backend.load(number, in: 50 * number, fails: true) } }
      when(fulfilled: work).catch(on: .utility) { _ in }
      _ = await gate.close().finalResult
      gate.run { backend.load(1) }.catch(on: .utility) { _ in }
    },
    AppProgram("calls through a breaker that opens") { backend in
      let breaker = PromiseCircuitBreaker(minimumCalls: 2)
      for number in 0..<4 {
        _ = await breaker.run { backend.load(number, fails: true) }.catch(on: .utility) { _ in }.finalResult
      }
    },
    AppProgram("calls within a rate") { backend in
      let limiter = PromiseRateLimiter(2, per: .seconds(1))
      for number in 0..<4 {
        _ = await limiter.run(on: .utility) { backend.load(number, fails: true) }.catch(on: .utility) { _ in }
          .finalResult
      }
    },
    AppProgram("keys of a batch that fails") { backend in
      let batcher = PromiseBatcher<Int, Int>(on: .utility) { keys in
        backend.load(keys.count, fails: true).map(on: .utility) { _ in [:] }
      }
      _ = await when(fulfilled: (0..<3).map { batcher.promise(for: $0) }).catch(on: .utility) { _ in }.finalResult
    },
    AppProgram("a lazy promise that fails") { backend in
      let lazy = LazyPromise<Int, any Error>(on: .utility) { $0.resolve(with: backend.load(1, fails: true)) }
      _ = await lazy.promise.catch(on: .utility) { _ in }.finalResult
    },
  ]

  private final class Screen: Sendable {}

  private static let screens = [
    AppProgram("a screen that is released before the answer") { backend in
      let screen = Holder(Screen())
      if let owner = screen.value {
        backend.load(1, in: 100, fails: true).bound(to: owner).then(on: .utility) { _, _ in }
          .catch(on: .utility) { _, _ in }
      }
      screen.value = nil
    },
    AppProgram("a screen whose token goes with it") { backend in
      let token = Holder(PromiseInvalidationToken())
      if let token = token.value {
        backend.load(1, in: 100, fails: true).map(on: .utility) { $0 }.catch(on: .utility, token: token) { _ in }
      }
      token.value = nil
    },
    AppProgram("a screen that waits for several parts and goes") { backend in
      let owner = when(fulfilled: [backend.load(1, in: 50, fails: true), backend.load(2, in: 100, fails: true)])
        .catch(on: .utility) { _ in }.owned()
      _ = await backend.load(3).finalResult
      withExtendedLifetime(owner) {}
    },
  ]

  private static let tasks = [
    AppProgram("a task that is cancelled while it waits") { backend in
      let promise = backend.load(1, in: 200, fails: true)
      let task = Task { try await promise.value }
      _ = await backend.load(2).finalResult
      task.cancel()
      _ = await task.result
    },
    AppProgram("a group whose first failure cancels the others") { backend in
      try? await withThrowingTaskGroup(of: Int.self) { group in
        for number in 0..<3 {
          let promise = backend.load(number, in: 50 * number, fails: true)
          group.addTask { try await promise.value }
        }
        for try await _ in group {}
      }
    },
    AppProgram("two values at once, both fail") { backend in
      async let one = backend.load(1, fails: true).value
      async let two = backend.load(2, in: 100, fails: true).value
      _ = try? await (one, two)
    },
    AppProgram("answers in the order of completion, until the first") { backend in
      for await _ in PromiseCompletionOrder(of: [backend.load(1), backend.load(2, in: 100, fails: true)]) { break }
    },
    AppProgram("a blocking wait that gives up") { backend in
      let promise = backend.load(1, in: 300, fails: true)
      _ = try await onOwnThread("the wait to time out") { try? promise.wait(timeout: .microseconds(20)) }
    },
  ]
}
