/// A promise for the values of all promises, in their order.
///
/// - Fulfils: when every input has, with the values in the order of the inputs; at once for no input.
/// - Fails: with the error of the first input that is rejected.
/// - Cancels: with the first input that is cancelled. A request to cancel counts as one child's request on each input.
/// - Runs on: nothing of yours is run. If the inputs allow it, the promise returned is resolved already.
/// - Parameters:
///   - promises: The inputs.
///   - cancelOnFailure: Whether all the inputs are asked to cancel as soon as one is rejected or cancelled.
/// - Complexity: One registration for each input.
public func when<Value, Failure>(
  fulfilled promises: [Promise<Value, Failure>], cancelOnFailure: Bool = false
) -> Promise<[Value], Failure> {
  if promises.isEmpty { return Promise(fulfilled: []) }
  let keeper = ResultKeeper(promises)
  let (promise, gathering) = Gathering<[Value], Failure>.make(count: promises.count) { keeper.values() }
  let report = gathering.report(for: Value.self)
  let children = promises.map { gathering.register($0, cancelOnFailure: cancelOnFailure, report) }
  gathering.onRequestCancel(ask: children)
  return promise
}

/// A promise for the values of promises of different types, in their order.
///
/// ```swift
/// when(fulfilled: loadUser(), loadAvatar()).then { user, avatar in show(user, avatar) }
/// ```
///
/// - Fulfils: when every input has, with the values in the order of the inputs; at once for no input.
/// - Fails: with the error of the first input that is rejected.
/// - Cancels: with the first input that is cancelled. A request to cancel counts as one child's request on each input.
/// - Runs on: nothing of yours is run. If the inputs allow it, the promise returned is resolved already.
/// - Parameters:
///   - promise: The inputs, any number of them.
///   - cancelOnFailure: Whether all the inputs are asked to cancel as soon as one is rejected or cancelled.
public func when<each Value: Sendable, Failure>(
  fulfilled promise: repeat Promise<each Value, Failure>, cancelOnFailure: Bool = false
) -> Promise<(repeat each Value), Failure> {
  let keeper = (repeat ResultKeeper([each promise]))
  var count = 0
  repeat count += Int(of: each promise)
  let (result, gathering) = Gathering<(repeat each Value), Failure>.make(count: count) {
    (repeat (each keeper).values()[0])
  }
  var children: [Promise<Never, Never>] = []
  repeat children.append(
    gathering.register(each promise, cancelOnFailure: cancelOnFailure, gathering.report(for: (each Value).self)))
  gathering.onRequestCancel(ask: children)
  return result
}

extension Int {
  /// One, for whatever it is: counts the elements of a parameter pack.
  fileprivate init<T>(of element: T) { self = 1 }
}

/// What the inputs of one `when(fulfilled:)` report to.
///
/// It holds the resolver and is held by the reports only: when no input can report any more, the promise is cancelled.
private final class Gathering<Output: Sendable, Failure: Sendable>: Sendable {
  private let resolver: Promise<Output, Failure>.Resolver
  private let missing: Countdown
  private let collect: @Sendable () -> Output
  private let inputs = PromiseInvalidationToken(invalidateOnDeinit: false)

  private init(
    resolver: Promise<Output, Failure>.Resolver, count: Int, collect: @escaping @Sendable () -> Output
  ) {
    self.resolver = resolver
    missing = Countdown(count)
    self.collect = collect
  }

  static func make(
    count: Int, collect: @escaping @Sendable () -> Output
  ) -> (Promise<Output, Failure>, Gathering) {
    let (promise, resolver) = Promise<Output, Failure>.makeWithResolver()
    return (promise, Gathering(resolver: resolver, count: count, collect: collect))
  }

  /// What an input with values of this type calls when it has resolved.
  func report<Value>(for _: Value.Type) -> @Sendable (PromiseResult<Value, Failure>) -> Void {
    { result in
      switch result {
      case .value: if self.missing.isLast() { self.resolver.fulfill(with: self.collect()) }
      case .error(let error):
        self.resolver.reject(with: error)
        self.inputs.invalidate()
      case .cancelled:
        self.resolver.cancel()
        self.inputs.invalidate()
      }
    }
  }

  /// Makes an input report; the child returned holds the vote.
  func register<Value>(
    _ promise: Promise<Value, Failure>, cancelOnFailure: Bool,
    _ report: @escaping @Sendable (PromiseResult<Value, Failure>) -> Void
  ) -> Promise<Never, Never> {
    // Before the input can fail, so that it hears of the failure of others.
    if cancelOnFailure { promise.requestCancelOnInvalidate(inputs) }
    return promise.observe(ReportStep<Value, Failure, FullPart>.self, on: .immediate, token: nil, report)
  }

  /// Passes a request to cancel on to each input, as one vote.
  func onRequestCancel(ask children: [Promise<Never, Never>]) {
    resolver.onRequestCancel(on: .immediate) { _ in
      for child in children { child.requestCancel() }
    }
  }
}
