import Overmorrow
import Testing

/// An action of user code in the middle of an operation.
private struct UserAction: Sendable, CustomTestStringConvertible {
  /// The promise whose operation calls user code, and another, unused promise.
  final class Scene: Sendable {
    let (promise, resolver) = Promise<Int, Reason>.makeWithResolver()
    let (other, otherResolver) = Promise<Int, Reason>.makeWithResolver()
    let observations = Counter()
  }

  let testDescription: String
  let act: @Sendable (Scene) -> Void

  init(_ name: String, _ act: @escaping @Sendable (Scene) -> Void) {
    testDescription = name
    self.act = act
  }

  static let all: [UserAction] =
    [
      UserAction("reads the result") { _ = $0.promise.result },
      UserAction("fulfils") { $0.resolver.fulfill(with: 8) },
      UserAction("rejects") { $0.resolver.reject(with: "other") },
      UserAction("cancels") { $0.resolver.cancel() },
      UserAction("resolves with itself") { $0.resolver.resolve(with: $0.promise) },
      UserAction("resolves with its child") { $0.resolver.resolve(with: $0.promise.map(on: .immediate) { $0 }) },
      UserAction("resolves with another promise") { $0.resolver.resolve(with: $0.other) },
      UserAction("asks to cancel") { $0.promise.requestCancel() },
      UserAction("asks a new child to cancel") { $0.promise.makeChild().requestCancel() },
      UserAction("adds a cancel handler") { scene in
        scene.resolver.onRequestCancel(on: .immediate) { _ in _ = scene.promise.result }
      },
      UserAction("reads whether cancelling was requested") { _ = $0.resolver.hasRequestedCancel },
      UserAction("resolves another promise") { $0.otherResolver.fulfill(with: 9) },
      UserAction("lets another promise follow") { $0.otherResolver.resolve(with: $0.promise) },
      UserAction("makes and drops promises") { _ in
        _ = Promise<Int, Reason>(on: .immediate) { _ in }
        _ = Promise<Int, Reason>(fulfilled: 7).map(on: .immediate) { $0 }
      },
      UserAction("waits with others") { scene in
        when(fulfilled: [scene.promise, scene.other]).tap(on: .immediate) { _ in }
        when(first: [scene.promise, scene.other], cancelRemaining: true).tap(on: .immediate) { _ in }
      },
      UserAction("uses a token") { scene in
        let token = PromiseInvalidationToken()
        scene.promise.requestCancelOnInvalidate(token).then(on: .immediate, token: token) { _ in }
        token.invalidate()
      },
    ]
    + TestedOperator.every.map { tested in
      UserAction("registers \(tested.name)") { scene in
        tested(scene.promise, on: .immediate) { scene.observations.increment() }
      }
    }
}

/// The places where an operation of a promise calls user code.
private enum Moment: CaseIterable {
  case firstObserver, lastObserver, observerOfResolved, childObserver
  case body, cancelHandler, firstCancelHandler, propagating, executor
  case valueDeinit, loserDeinit, callbackDeinit, unusedCallbackDeinit, handlerDeinit, bodyDeinit

  /// Brings the promise to this moment, calls `action` there, and continues. Returns the number of calls.
  func trigger(_ scene: UserAction.Scene, _ action: @escaping @Sendable () -> Void) -> Int {
    let times = Counter()
    let act: @Sendable () -> Void = { if times.increment() == 1 { action() } }
    let (promise, resolver) = (scene.promise, scene.resolver)
    switch self {
    case .firstObserver:
      promise.always(on: .immediate) { _ in act() }
      promise.always(on: .immediate) { _ in }
      promise.map(on: .immediate) { $0 }.always(on: .immediate) { _ in }
    case .lastObserver:
      promise.always(on: .immediate) { _ in }
      promise.always(on: .immediate) { _ in act() }
    case .observerOfResolved:
      resolver.fulfill(with: 7)
      promise.always(on: .immediate) { _ in act() }
    case .childObserver:
      promise.flatMap(on: .immediate) { Promise(fulfilled: $0) }.always(on: .immediate) { _ in act() }
      promise.always(on: .immediate) { _ in }
    case .body: _ = Promise<Int, Reason>(on: .immediate) { _ in act() }
    case .cancelHandler, .firstCancelHandler:
      if self == .cancelHandler { resolver.onRequestCancel(on: .immediate) { _ in } }
      resolver.onRequestCancel(on: .immediate) { _ in act() }
      if self == .firstCancelHandler { resolver.onRequestCancel(on: .immediate) { _ in } }
      promise.requestCancel()
    case .propagating: promise.propagatingCancellation(on: .immediate) { _ in act() }.requestCancel()
    case .executor:
      promise.always(on: .executor(RepeatingExecutor(times: 1, before: act))) { _ in }
      promise.always(on: .immediate) { _ in }
    case .valueDeinit:
      let (value, valueResolver) = Promise<Tracker.Tracked, Reason>.makeWithResolver()
      promise.always(on: .immediate) { _ in withExtendedLifetime(value) {} }
      valueResolver.fulfill(with: Tracker().make(onDeinit: act))
    case .loserDeinit:
      let (_, valueResolver) = Promise<Tracker.Tracked, Reason>.makeWithResolver()
      valueResolver.cancel()
      valueResolver.fulfill(with: Tracker().make(onDeinit: act))
    case .callbackDeinit: promise.always(on: .immediate, Tracker().callback(onDeinit: act))
    case .unusedCallbackDeinit:
      let unused: @Sendable (Reason) -> Void = Tracker().callback(onDeinit: act)
      promise.mapError(on: .immediate) { error in
        unused(error)
        return error
      }.always(on: .immediate) { _ in }
    case .handlerDeinit: resolver.onRequestCancel(on: .immediate, Tracker().callback(onDeinit: act))
    case .bodyDeinit: _ = Promise<Int, Reason>(on: .immediate, Tracker().callback(onDeinit: act))
    }
    resolver.fulfill(with: 7)
    return times.count
  }
}

@Suite(.inTurn) struct ReentrancyTests {
  @Test(
    "1.2 2.5 1.20 user code may do anything with a promise, whenever it is called", arguments: Moment.allCases,
    UserAction.all)
  private func userCode(moment: Moment, action: UserAction) async throws {
    let tracker = Tracker()
    let (times, isResolved, observations) = try await onOwnThread("user code") {
      // The scope watches the promises in every build, so that the cycle of an action ends.
      let scene = PromiseDiagnostics.checking { UserAction.Scene() }.result
      let object = tracker.make()
      // Every observer runs once, whatever the action is.
      scene.promise.tap(on: .immediate) { _ in withExtendedLifetime(object) { _ = scene.observations.increment() } }
      let times = moment.trigger(scene) { action.act(scene) }
      // Resolves what the action has left unresolved.
      scene.otherResolver.reject(with: "over")
      scene.resolver.fulfill(with: 7)
      return (times, scene.promise.result != nil, scene.observations.count)
    }
    #expect(times == 1)
    #expect(isResolved)
    // One observer of this test, and possibly one that the action registered.
    #expect((1...2).contains(observations), "the observers were called \(observations) times")
    #expect(tracker.count == 0)
  }
}
