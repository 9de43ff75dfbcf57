import Overmorrow

/// A promise of which a test only wants to know how it ends.
struct AnyChild: Sendable {
  let requestCancel: @Sendable () -> Void
  private let resolved: @Sendable () -> Bool?

  init<Value, Failure>(_ promise: Promise<Value, Failure>) {
    requestCancel = { promise.requestCancel() }
    resolved = { promise.result.map(\.isCancelled) }
  }

  var isResolved: Bool { resolved() != nil }
  var isCancelled: Bool { resolved() == true }
}

/// A probe without its types.
protocol AnyCancelProbe: Sendable {
  var requestCount: Int { get }
  func drop()
  func makeSibling() -> AnyChild
  func cancel()
}

extension CancelProbe: AnyCancelProbe {
  /// One more child that votes.
  func makeSibling() -> AnyChild { AnyChild(promise.makeChild()) }

  /// The producer cancels.
  func cancel() { resolver.cancel() }
}

/// An operator whose promise has a vote on the promise that it is applied to.
struct VotingOperator: Sendable, CustomStringConvertible {
  /// The operator applied to the unresolved promise of a probe.
  struct Applied: Sendable {
    let probe: any AnyCancelProbe
    let child: AnyChild
  }

  let description: String
  /// Whether it has a callback, which keeps the object.
  let hasCallback: Bool
  let apply: @Sendable (Tracker.Tracked) -> Applied

  private init<Failure: Sendable, U, E>(
    _ name: String, hasCallback: Bool,
    _ operate: @escaping @Sendable (Promise<Int, Failure>, Tracker.Tracked) -> Promise<U, E>
  ) {
    description = name
    self.hasCallback = hasCallback
    apply = { object in
      let probe = CancelProbe<Int, Failure>()
      return Applied(probe: probe, child: AnyChild(operate(probe.promise, object)))
    }
  }

  /// An operator with a callback.
  private static func calling<Failure: Sendable, U, E>(
    _ name: String, _ operate: @escaping @Sendable (Promise<Int, Failure>, Tracker.Tracked) -> Promise<U, E>
  ) -> VotingOperator {
    VotingOperator(name, hasCallback: true, operate)
  }

  /// An operator without a callback.
  private static func plain<Failure: Sendable, U, E>(
    _ name: String, _ operate: @escaping @Sendable (Promise<Int, Failure>) -> Promise<U, E>
  ) -> VotingOperator {
    VotingOperator(name, hasCallback: false) { promise, _ in operate(promise) }
  }

  static let all = observers + transforms + throwing + others

  /// Where the failure is not an `Error`.
  private static let observers: [VotingOperator] = [
    calling("then") { (promise: Promise<Int, Flaw>, kept) in promise.then(on: .immediate) { _ in _ = kept } },
    calling("catch") { (promise: Promise<Int, Flaw>, kept) in promise.catch(on: .immediate) { _ in _ = kept } },
    calling("always") { (promise: Promise<Int, Flaw>, kept) in promise.always(on: .immediate) { _ in _ = kept } },
  ]

  private static let transforms: [VotingOperator] = [
    calling("map") { (promise: Promise<Int, Flaw>, kept) in promise.map(on: .immediate) { _ in _ = kept } },
    calling("flatMap") { (promise: Promise<Int, Flaw>, kept) in
      promise.flatMap(on: .immediate) { _ in
        _ = kept
        return Promise(fulfilled: true)
      }
    },
    calling("mapError") { (promise: Promise<Int, Flaw>, kept) in promise.mapError(on: .immediate) { _ in _ = kept } },
    calling("flatMapError") { (promise: Promise<Int, Flaw>, kept) in
      promise.flatMapError(on: .immediate) { _ in
        _ = kept
        return Promise<Int, Bool>(fulfilled: 1)
      }
    },
    calling("recover") { (promise: Promise<Int, Flaw>, kept) in
      promise.recover(on: .immediate) { _ in
        _ = kept
        return 1
      }
    },
    calling("mapResult") { (promise: Promise<Int, Flaw>, kept) in
      promise.mapResult(on: .immediate) { result in
        _ = kept
        return result
      }
    },
    calling("flatMapResult") { (promise: Promise<Int, Flaw>, kept) in
      promise.flatMapResult(on: .immediate) { result in
        _ = kept
        return Promise(with: result)
      }
    },
  ]

  private static let throwing: [VotingOperator] = [
    calling("throwing then") { (promise: Promise<Int, ProbeError>, kept) in
      promise.then(on: .immediate) { _ throws(ProbeError) in _ = kept }
    },
    calling("throwing map") { (promise: Promise<Int, ProbeError>, kept) in
      promise.map(on: .immediate) { _ throws(ProbeError) in _ = kept }
    },
    calling("throwing flatMap") { (promise: Promise<Int, ProbeError>, kept) in
      promise.flatMap(on: .immediate) { _ throws(ProbeError) -> Promise<Int, ProbeError> in
        _ = kept
        throw .other
      }
    },
  ]

  private static let others: [VotingOperator] = [
    plain("upcast") { (promise: Promise<Int, ProbeError>) in promise.upcast },
    plain("makeChild") { (promise: Promise<Int, Flaw>) in promise.makeChild() },
    plain("fork, then makeChild") { (promise: Promise<Int, Flaw>) in promise.fork { _ = $0.tap() }.makeChild() },
    plain("delay") { (promise: Promise<Int, Flaw>) in promise.delay(on: .immediate, .seconds(3600)) },
    plain("timeout") { (promise: Promise<Int, Flaw>) in promise.timeout(on: .immediate, .seconds(3600)) },
    plain("timeout for any Error") { (promise: Promise<Int, any Error>) in
      promise.timeout(on: .immediate, .seconds(3600)) as Promise<Int, any Error>
    },
    plain("when(fulfilled: array)") { (promise: Promise<Int, Flaw>) in when(fulfilled: [promise]) },
    plain("when(fulfilled: a, b)") { (promise: Promise<Int, Flaw>) in
      when(fulfilled: promise, Promise<Bool, Flaw>(fulfilled: true))
    },
    plain("when(first:)") { (promise: Promise<Int, Flaw>) in when(first: [promise]) },
    plain("when(firstFulfilled:)") { (promise: Promise<Int, Flaw>) in when(firstFulfilled: [promise]) },
    plain("when(fulfilled: dictionary)") { (promise: Promise<Int, Flaw>) in when(fulfilled: [0: promise]) },
    plain("resolver.resolve(with: promise)") { (promise: Promise<Int, Flaw>) in
      let (adopter, resolver) = Promise<Int, Flaw>.makeWithResolver()
      resolver.resolve(with: promise)
      return adopter
    },
    calling("propagatingCancellation") { (promise: Promise<Int, Flaw>, kept) in
      promise.propagatingCancellation(on: .immediate) { _ in _ = kept }
    },
    plain("withToken, then makeChild") { (promise: Promise<Int, Flaw>) in
      promise.withToken(PromiseInvalidationToken(invalidateOnDeinit: false)).inner.makeChild()
    },
  ]
}
