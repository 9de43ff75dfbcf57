import Dispatch
import Testing

@testable import Overmorrow
@testable import OvermorrowEngine

/// Runs a program with the library itself. Every value, error and callback is counted.
final class EngineWorld: ProgramWorld, @unchecked Sendable {
  // Sendable because its state is a reference that the owner sets once, constants, and values behind locks.
  final class Item: Error, Sendable {
    let number: Int
    private let tracked: Tracker.Tracked

    init(_ number: Int, _ tracker: Tracker) {
      self.number = number
      tracked = tracker.make()
    }
  }
  typealias Subject = Promise<Item, Item>

  unowned let events: any ProgramEvents
  let tracker = Tracker()
  private let executor: ProgramExecutor
  let promises = Shelf<Subject>()
  let resolvers = Shelf<Subject.Resolver>()
  private let tokens = Shelf<PromiseInvalidationToken>()
  private let cancellables = Guarded<[PromiseCancellable]>([])

  init(events: any ProgramEvents) {
    self.events = events
    executor = ProgramExecutor(events: events)
  }

  var waitingWork: Int { executor.count }
  var leaks: Int { tracker.count }

  /// Waits for the work that `HandOverCount` counts. Call `HandOverCount.start()` before.
  ///
  /// The count includes the work of other tests, which may hand over work all the time. So a wait ends after 300 rounds
  /// at the latest. In each round, all work ends that was handed over before, and a program hands over less often.
  func waitForQueues() {
    for _ in 0..<300 {
      let begun = HandOverCount.begun
      let end = DispatchSemaphore(value: 0)
      HandOverCount.whenEnded { end.signal() }
      guard end.wait(timeout: .now() + waitLimit) == .success else {
        Issue.record("timed out waiting for the work on global queues")
        return
      }
      // Work that has ended may have left other observers to a queue.
      if HandOverCount.begun == begun { return }
    }
  }

  func result(of promise: Int) -> ProgramResult? { promises[promise]!.result.map(EngineWorld.view) }
  func hasRequestedCancel(_ resolver: Int) -> Bool { resolvers[resolver]!.hasRequestedCancel }

  static func view(_ result: PromiseResult<Item, Item>) -> ProgramResult {
    result.map(\.number).mapError(\.number)
  }

  func context(_ kind: ContextKind) -> PromiseContext {
    switch kind {
    case .immediate: .immediate
    case .executor: .executor(executor)
    case .nowOrExecutor: .nowOr(.executor(executor))
    }
  }

  private func real(_ result: ProgramResult) -> PromiseResult<Item, Item> {
    result.map { Item($0, tracker) }.mapError { Item($0, tracker) }
  }

  // MARK: Operations

  // The object of an operation is retained until the operation ends, even if a callback drops it. A dropped object is
  // removed from its dictionary before it is released, because callbacks access the dictionaries.

  func with<T>(_ held: T, _ body: (T) -> Void) { withExtendedLifetime(held) { body(held) } }

  func makePromise(_ promise: Int) {
    let (made, resolver) = Subject.makeWithResolver()
    promises[promise] = made
    resolvers[promise] = resolver
    cancellables.withLock { $0.append(made.cancellable) }
  }
  func makeResolved(_ promise: Int, _ result: ProgramResult) { promises[promise] = Subject(with: real(result)) }

  func resolve(_ resolver: Int, with result: ProgramResult) {
    with(resolvers[resolver]!) { $0.resolve(with: real(result)) }
  }

  func adopt(_ promise: Int, by resolver: Int) {
    let promise = promises[promise]!
    with((resolvers[resolver]!, promise)) { $0.0.resolve(with: $0.1) }
  }

  func askUnresolved() -> Bool {
    let asked = cancellables.withLock { cancellables in
      defer { cancellables = [] }
      return cancellables
    }
    for cancellable in asked { cancellable.requestCancel() }
    return !asked.isEmpty
  }

  func requestCancel(_ promise: Int) { with(promises[promise]!) { $0.requestCancel() } }
  func dropPromise(_ promise: Int) { with(promises.take(promise)) { _ in } }
  func dropResolver(_ resolver: Int) { with(resolvers.take(resolver)) { _ in } }
  func makeToken(_ token: Int) { tokens[token] = PromiseInvalidationToken() }
  func guardPromise(_ promise: Int, token: Int) { promises[promise]!.requestCancelOnInvalidate(tokens[token]!) }
  func invalidate(_ token: Int, suppressing: Bool) {
    with(tokens[token]!) { suppressing ? $0.invalidate() : $0.cancelWithoutInvalidating() }
  }
  func dropToken(_ token: Int) { with(tokens.take(token)) { _ in } }
  func runNext() { executor.take()?() }
  func dropNext() { with(executor.take()) { _ in } }

  func onRequestCancel(_ resolver: Int, on context: ContextKind, callback: Int) {
    let tracked = tracker.make()
    with(resolvers[resolver]!) {
      $0.onRequestCancel(on: self.context(context)) { [events] _ in
        withExtendedLifetime(tracked) { events.callbackRuns(callback, with: nil) }
      }
    }
  }

  func observe(_ source: Int, by observer: Observer) {
    with((promises[source]!, promises[observer.target]!, observer.token.map { tokens[$0.token]! })) {
      source, _, token in
      let promise = register(source, observer, token)
      if observer.kind == .report { return }
      if let token, observer.token?.isOfChain == true, !observer.kind.hasNoCallback {
        promise.requestCancelOnInvalidate(token)
      }
      promises[observer.promise] = promise
    }
  }
}

/// An executor that stores work until the program runs or drops it.
private final class ProgramExecutor: PromiseExecutor {
  private unowned let events: any ProgramEvents
  private let queue = Guarded<[@Sendable () -> Void]>([])

  init(events: any ProgramEvents) { self.events = events }

  var count: Int { queue.withLock { $0.count } }

  func enqueue(_ work: @escaping @Sendable () -> Void) {
    events.mayBeInterrupted()
    queue.withLock { $0.append(work) }
  }

  /// Removes and returns the oldest work, if any.
  func take() -> (@Sendable () -> Void)? { queue.withLock { $0.isEmpty ? nil : $0.removeFirst() } }
}

/// The objects of a program, by number.
final class Shelf<Item: Sendable>: Sendable {
  private let items = Guarded<[Int: Item]>([:])

  subscript(number: Int) -> Item? {
    get { items.withLock { $0[number] } }
    set {
      let old = take(number)
      items.withLock { $0[number] = newValue }
      withExtendedLifetime(old) {}
    }
  }

  var all: [Item] { items.withLock { Array($0.values) } }

  /// Removes and returns an item.
  func take(_ number: Int) -> Item? { items.withLock { $0.removeValue(forKey: number) } }
}
