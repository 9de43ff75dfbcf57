/// What the inputs of one `when(fulfilled:)` report to.
///
/// It holds the resolver and is held by the inputs' steps only: when no input can report any more, the promise is
/// cancelled.
@usableFromInline
final class Gathering<Output: Sendable, Failure: Sendable>: Sendable {
  private let resolver: Promise<Output, Failure>.Resolver
  private let missing: Countdown
  private let collect: @Sendable () -> Output
  private let inputs: PromiseInvalidationToken?

  @usableFromInline
  init(
    resolver: Promise<Output, Failure>.Resolver, count: Int, cancelOnFailure: Bool,
    collect: @escaping @Sendable () -> Output
  ) {
    self.resolver = resolver
    missing = Countdown(count)
    inputs = cancelOnFailure ? PromiseInvalidationToken(invalidateOnDeinit: false) : nil
    self.collect = collect
  }

  /// Makes an input report; the child returned holds the vote.
  @inlinable
  func register<Value>(_ promise: Promise<Value, Failure>) -> Promise<Never, Never> {
    promise.observe(GatherStep<Value, Output, Failure>.self, on: .immediate, token: nil, self)
  }

  /// Makes an input hear of the failure of others.
  @usableFromInline
  func askOnFailure<Value>(_ promise: Promise<Value, Failure>) { inputs?.requestCancelOnInvalidate(promise) }

  /// Passes a request to cancel on to each input, as one vote.
  @usableFromInline
  func onRequestCancel(ask children: [Promise<Never, Never>]) {
    resolver.onRequestCancel(ask: children)
  }

  /// An input is fulfilled.
  @usableFromInline
  func didFulfill() {
    if missing.isLast() { didFulfillAll() }
  }

  /// All inputs are fulfilled.
  @usableFromInline
  func didFulfillAll() { resolver.fulfill(with: collect()) }

  /// An input is rejected, or cancelled: that decides.
  @usableFromInline
  func didEnd(with result: PromiseResult<Output, Failure>) {
    resolver.resolve(with: result)
    inputs?.invalidate()
  }
}

/// Reports an input's result.
@usableFromInline
enum GatherStep<Value: Sendable, Output: Sendable, Failure: Sendable>: Step {
  @inlinable static var traits: Traits { [.takesPart, .onAnything] }

  @inlinable
  static func run(
    _ gathering: Gathering<Output, Failure>, _ input: PromiseResult<Value, Failure>
  ) -> StepResult<Never, Never> {
    switch input {
    case .value: gathering.didFulfill()
    case .error(let error): gathering.didEnd(with: .error(error))
    case .cancelled: gathering.didEnd(with: .cancelled)
    }
    return .result(.cancelled)
  }

  @inlinable
  static func pass(_ input: PromiseResult<Value, Failure>) -> PromiseResult<Never, Never> { .cancelled }
}
