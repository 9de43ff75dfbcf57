/// A delayed result's place in an executor that takes work before its time, and the promise that is resolved there.
struct ReservedTurn<Value: Sendable, Failure: Sendable>: Sendable {
  /// Resolved when the turn comes; cancelled when the executor drops the work.
  let promise: Promise<Value, Failure>
  private let result: Slip
  private let slot: ReservedSlot

  /// Hands the work over; `nil` where that cannot be done before its time.
  init?(at place: PromiseContext) {
    guard place.reserves else { return nil }
    let result = Slip()
    let (promise, resolver) = Promise<Value, Failure>.makeWithResolver()
    let delivery = Delivery(resolver, result)
    guard let slot = place.reserve({ delivery.run() }) else { return nil }
    resolver.onRequestCancelWhileKept { $0.cancel() }
    (self.promise, self.result, self.slot) = (promise, result, slot)
  }

  /// From now on the result is known, and the delay runs.
  func begin<C: Clock>(with result: PromiseResult<Value, Failure>, after delay: Duration, clock: C)
  where C.Duration == Duration {
    self.result.write(result)
    // Not the promise: a handle here would keep a request from it.
    let timer = Timer(after: delay, on: clock) { [slot] in slot.begin() }
    // The executor may drop the work long before its time: then there is nothing left to wait for.
    _ = promise.tap(on: .immediate) { _ in timer.cancel() }
  }

  /// The result, once it is known.
  private final class Slip: Sendable {
    private let content = Guarded<PromiseResult<Value, Failure>?>(nil)

    func write(_ result: PromiseResult<Value, Failure>) { content.withLock { $0 = result } }

    var result: PromiseResult<Value, Failure>? { content.withLock { $0 } }
  }

  /// What the executor has, and nobody else: when it goes unrun, the promise is cancelled.
  private final class Delivery: Sendable {
    private let resolver: Promise<Value, Failure>.Resolver
    private let result: Slip

    init(_ resolver: Promise<Value, Failure>.Resolver, _ result: Slip) {
      self.resolver = resolver
      self.result = result
    }

    func run() {
      if let result = result.result { resolver.resolve(with: result) }
    }

    deinit { resolver.cancel() }
  }
}
