import HTTPTypes
import Hummingbird
import ServiceLifecycle

/// `Forecasts` in plain async/await, for comparison.
///
/// It does less: a request that is cancelled waits for the end of its load, the forecasts of all cities are kept until the
/// server ends, and a result from before the breaker has opened counts as a result of a trial call.
actor PlainForecasts: ForecastSource {
  private struct Load {
    let task: Task<Forecast, any Error>
    let number: Int
    var callers = 0
  }

  private struct Waiter {
    let number: Int
    let continuation: CheckedContinuation<Void, any Error>
  }

  private let fetch: @Sendable (String) async throws -> Forecast
  private let clock: any Clock<Duration>
  private let now: @Sendable () -> Duration
  private var numbers = 0
  private var isClosed = false
  // The cache.
  private var kept: [String: (forecast: Forecast, arrival: Duration)] = [:]
  private var loads: [String: Load] = [:]
  // The limiter.
  private var running = 0
  private var waiters: [Waiter] = []
  // The breaker and the retry budget.
  private var results: [(time: Duration, isSuccess: Bool)] = []
  private var retries: [Duration] = []
  private var opened: Duration?
  private var isTrying = false

  init(clock: any Clock<Duration> = ContinuousClock(), fetch: @escaping @Sendable (String) async throws -> Forecast) {
    self.fetch = fetch
    self.clock = clock
    now = stopwatch(clock)
  }

  func forecast(for city: String) async throws -> Forecast {
    let old = kept[city]
    if let old, now() - old.arrival < .seconds(60) { return old.forecast }
    let number = loads[city]?.number ?? startLoad(of: city)
    if let old, now() - old.arrival < .seconds(3660) { return old.forecast }
    loads[city]?.callers += 1
    guard let task = loads[city]?.task else { throw CancellationError() }
    return try await withTaskCancellationHandler {
      try await task.value
    } onCancel: {
      Task { await self.leave(city, number) }
    }
  }

  // MARK: Loads

  private func startLoad(of city: String) -> Int {
    numbers += 1
    let number = numbers
    let task = Task {
      defer { if loads[city]?.number == number { loads[city] = nil } }
      if isClosed { throw HTTPError(.serviceUnavailable) }
      let forecast = try await loadTwice(city)
      kept[city] = (forecast, now())
      return forecast
    }
    loads[city] = Load(task: task, number: number)
    return number
  }

  /// Cancels a load when its last caller has left.
  private func leave(_ city: String, _ number: Int) {
    guard loads[city]?.number == number, let load = loads[city] else { return }
    loads[city]?.callers -= 1
    if load.callers == 1 {
      load.task.cancel()
      loads[city] = nil
    }
  }

  private func loadTwice(_ city: String) async throws -> Forecast {
    do {
      return try await loadOnce(city)
    } catch let error where !(error is HTTPError || error is CancellationError) {
      // The budget: ten retries in ten seconds, and one for each ten successes.
      retries.removeAll { now() - $0 >= .seconds(10) }
      results.removeAll { now() - $0.time >= .seconds(10) }
      guard retries.count < 10 + results.filter(\.isSuccess).count / 10 else { throw error }
      retries.append(now())
      return try await loadOnce(city)
    }
  }

  private func loadOnce(_ city: String) async throws -> Forecast {
    try await takeTurn()
    defer { giveTurnBack() }
    try askBreaker()
    do {
      let forecast = try await withinTwoSeconds { [fetch] in try await fetch(city) }
      record(isSuccess: true)
      return forecast
    } catch {
      if error is CancellationError { isTrying = false } else { record(isSuccess: false) }
      throw error
    }
  }

  private func withinTwoSeconds(
    _ body: @escaping @Sendable () async throws -> Forecast
  ) async throws -> Forecast {
    try await withThrowingTaskGroup(of: Forecast.self) { [clock] group in
      defer { group.cancelAll() }
      group.addTask { try await body() }
      group.addTask {
        try await clock.sleep(for: .seconds(2))
        throw HTTPError(.gatewayTimeout)
      }
      guard let first = try await group.next() else { throw CancellationError() }
      return first
    }
  }

  // MARK: Turns

  private func takeTurn() async throws {
    try Task.checkCancellation()
    if running < 4 {
      running += 1
      return
    }
    guard waiters.count < 100 else { throw HTTPError(.serviceUnavailable) }
    numbers += 1
    let number = numbers
    let timer = Task {
      try await clock.sleep(for: .seconds(5))
      endWait(number, with: HTTPError(.serviceUnavailable))
    }
    defer { timer.cancel() }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { waiters.append(Waiter(number: number, continuation: $0)) }
    } onCancel: {
      Task { await self.endWait(number, with: CancellationError()) }
    }
  }

  private func giveTurnBack() {
    if waiters.isEmpty { running -= 1 } else { waiters.removeFirst().continuation.resume() }
  }

  private func endWait(_ number: Int, with error: any Error) {
    guard let index = waiters.firstIndex(where: { $0.number == number }) else { return }
    waiters.remove(at: index).continuation.resume(throwing: error)
  }

  // MARK: The breaker

  private func askBreaker() throws {
    guard let opened else { return }
    let wait = opened + .seconds(5) - now()
    if wait > .zero || isTrying {
      throw HTTPError(.serviceUnavailable, headers: [.retryAfter: "\(max(wait, .zero).components.seconds)"])
    }
    isTrying = true
  }

  private func record(isSuccess: Bool) {
    if opened != nil {
      (opened, isTrying, results) = (isSuccess ? nil : now(), false, [])
      return
    }
    results.removeAll { now() - $0.time >= .seconds(10) }
    results.append((now(), isSuccess))
    let failures = results.filter { !$0.isSuccess }.count
    if results.count >= 10, 2 * failures >= results.count { (opened, results) = (now(), []) }
  }

  // MARK: The end

  nonisolated var service: any Service { ClosingService(forecasts: self) }

  /// Waits for the graceful shutdown, and then for the running loads. After five seconds, the loads are cancelled.
  fileprivate func close() async {
    try? await gracefulShutdown()
    isClosed = true
    let deadline = Task {
      try await clock.sleep(for: .seconds(5))
      for load in loads.values { load.task.cancel() }
    }
    while let load = loads.values.first { _ = await load.task.result }
    deadline.cancel()
  }
}

private struct ClosingService: Service {
  let forecasts: PlainForecasts

  func run() async { await forecasts.close() }
}

/// Returns a function that measures the time since this call.
private func stopwatch(_ clock: some Clock<Duration>) -> @Sendable () -> Duration {
  let start = clock.now
  return { start.duration(to: clock.now) }
}
