import Overmorrow

/// Every observer and every transform.
func chaining(_ promise: Promise<Int, LoadError>, token: PromiseInvalidationToken) {
  promise
    .then(on: .main, token: token) { print($0) }
    .catch(on: .main) { print($0) }
    .always(on: .main) { print($0) }
    .tap(on: .main) { print($0) }
    .onCancel(on: .main) { print("cancelled") }
  promise.named("a promise").tap()
    .map(on: .utility) { $0 + 1 }
    .flatMap(on: .utility) { Promise(fulfilled: "\($0)") }
    .mapError(on: .immediate) { "\($0)" }
    .flatMapError(on: .immediate) { Promise<String, Bool>(rejected: $0.isEmpty) }
    .mapResult(on: .immediate) { $0.map { $0.count } }
    .flatMapResult(on: .immediate) { Promise<Int, Bool>(with: $0) }
    .recover(on: .immediate) { $0 ? 1 : 0 }
    .upcast
    .catch { print($0) }
}

/// The same without a context: each closure runs on the actor that it is isolated to.
func chaining(_ promise: Promise<Int, LoadError>) {
  promise
    .then { print($0) }
    .catch { print($0) }
    .always { print($0) }
    .tap { print($0) }
    .onCancel { print("cancelled") }
    .map { $0 + 1 }
    .flatMap { Promise(fulfilled: "\($0)") }
    .mapError { "\($0)" }
    .flatMapError { Promise<String, Bool>(rejected: $0.isEmpty) }
    .mapResult { $0.map { $0.count } }
    .flatMapResult { Promise<Int, Bool>(with: $0) }
    .recover { $0 ? 1 : 0 }
    .then { print($0) }
}

/// Callbacks that throw a known error type.
func throwing(_ promise: Promise<Int, LoadError>) {
  promise
    .then(on: .main) { value throws(LoadError) in
      if value > 3 { throw .stale(value) }
    }
    .map(on: .main) { value throws(LoadError) in
      if value > 3 { throw .stale(value) }
      return "\(value)"
    }
    .flatMap(on: .main) { value throws(LoadError) in
      if value.isEmpty { throw .offline }
      return Promise(fulfilled: value)
    }
    .recover(on: .main) { (error) throws(LoadError) -> String in throw error }
    .upcast
    .catch { print($0) }
}

/// The same with `any Error` as the failure type.
func chaining(_ promise: Promise<Int, any Error>) {
  promise
    .then { if $0 > 3 { throw LoadError.stale($0) } }
    .map(on: .main) { value -> String in
      if value > 3 { throw LoadError.stale(value) }
      return "\(value)"
    }
    .flatMap(on: .main) { Promise(fulfilled: $0) }
    .recover(on: .main) { throw $0 }
    .catch { print($0) }
}

/// Delays and timeouts.
func delaying(_ promise: Promise<Int, String>, risky: Promise<Int, any Error>) {
  let clock = LoopClock()
  let later: [Promise<Int, String>] = [
    Promise(fulfilled: 1, after: .seconds(1)), Promise(rejected: "no", after: .seconds(1)),
    Promise(with: .cancelled, after: .seconds(1)), Promise(fulfilled: 1, after: .seconds(1), clock: clock),
    Promise(rejected: "no", after: .seconds(1), clock: clock), Promise(with: .cancelled, after: .zero, clock: clock),
    promise.delay(.seconds(1)), promise.delay(on: .immediate, .seconds(1), clock: clock),
  ]
  let limited = [later[0].timeout(.seconds(1)), later[1].timeout(on: .main, .zero, clock: clock)]
  limited[0].catch { error in
    print(error == .timedOut || error == PromiseTimeoutError.rejected("no"), error.description)
  }
  let errors = [risky.timeout(.seconds(1)), risky.timeout(on: .main, .zero, clock: clock)]
  errors[0].catch { (error: any Error) in print(error) }
}

/// A custom clock that runs actions itself.
struct LoopClock: PromiseSchedulingClock {
  let clock = SuspendingClock()

  var now: SuspendingClock.Instant { clock.now }
  var minimumResolution: Duration { clock.minimumResolution }

  func sleep(until deadline: SuspendingClock.Instant, tolerance: Duration?) async throws {
    try await clock.sleep(until: deadline, tolerance: tolerance)
  }

  func schedule(
    at deadline: SuspendingClock.Instant, _ action: @escaping @Sendable () -> Void
  ) -> @Sendable () -> Void {
    let task = Task {
      try await sleep(until: deadline, tolerance: nil)
      action()
    }
    return { task.cancel() }
  }
}

func scheduling(_ clock: some PromiseSchedulingClock) -> @Sendable () -> Void {
  clock.schedule(at: clock.now) { print("now") }
}
