public import Dispatch

/// Where a callback runs.
///
/// Two contexts are equal when they are the same case and, where they name a queue, an executor or an actor, the same
/// object; the label of a queue does not matter.
public enum PromiseContext: Sendable {
  /// The main queue, in one pass with others: a callback that becomes due while others run on `main` joins their pass,
  /// and no other work of the queue runs between them. `.queue(.main)` takes a turn of the queue for each callback
  /// instead.
  case main
  /// The global queue with the quality of service `background`.
  case background
  /// The global queue with the quality of service `utility`.
  case utility
  /// The global queue with the quality of service `default`.
  case `default`
  /// The global queue with the quality of service `userInitiated`.
  case userInitiated
  /// The global queue with the quality of service `userInteractive`.
  case userInteractive
  /// A dispatch queue, serial or concurrent.
  ///
  /// `.queue(.main)` is not ``main``: each callback takes a turn of the main queue of its own, so that other work of
  /// the queue, such as drawing, can run between two callbacks. On ``main`` they run in one pass.
  case queue(DispatchQueue)
  /// Anything that can run a closure.
  case executor(any PromiseExecutor)
  /// An actor. Callbacks run on it in the order in which they became ready; for `MainActor.shared` as on ``main``.
  ///
  /// A callback without a context runs on the actor on which it is written: see <doc:Contexts>.
  case actor(any Actor)
  /// Inside the call that resolves the promise or, if it is resolved already, inside the call that registers the
  /// callback.
  ///
  /// A callback must then be ready to run on any thread. Good for creating promises, and for short work that does not
  /// care where it runs. Calls that nest more than a few dozen deep on one stack are deferred until the outer ones
  /// return, so that no recursion overflows the stack.
  case immediate
  /// Inside the registering call if the promise is resolved already; otherwise on the context given.
  ///
  /// Use it where an available value must be shown without delay: `PromiseContext.isExecutingNow` then tells the
  /// callback which of the two happened. In `Promise.init(on:_:)` the body runs before the initialiser returns; the
  /// body of a `LazyPromise` or a `PromiseOperation` runs on the context given.
  indirect case nowOr(PromiseContext)

  /// The context for a quality of service; `.default` where Dispatch leaves it unspecified.
  ///
  /// - Parameter qos: The quality of service.
  public init(qos: DispatchQoS.QoSClass) {
    switch qos {
    case .background: self = .background
    case .utility: self = .utility
    case .userInitiated: self = .userInitiated
    case .userInteractive: self = .userInteractive
    default: self = .default
    }
  }

  /// `.main` for code that runs on the main queue, otherwise `.default`.
  ///
  /// Evaluated when a callback is registered; the default of all observers whose closure belongs to no actor.
  public static var auto: PromiseContext { MainQueue.isCurrent ? .main : .default }
}

extension PromiseContext: Hashable {
  /// What identifies a context: its kind, and its object or inner context.
  private var identity: [UInt] {
    switch self {
    case .main: [0]
    case .background: [1]
    case .utility: [2]
    case .default: [3]
    case .userInitiated: [4]
    case .userInteractive: [5]
    case .immediate: [6]
    case .queue(let queue): [7, UInt(bitPattern: ObjectIdentifier(queue))]
    case .executor(let executor): [8, UInt(bitPattern: ObjectIdentifier(executor))]
    case .actor(let actor): [9, UInt(bitPattern: ObjectIdentifier(actor))]
    case .nowOr(let context): [10] + context.identity
    }
  }

  /// Whether both are the same context. Queues, executors and actors are compared by identity.
  public static func == (left: PromiseContext, right: PromiseContext) -> Bool { left.identity == right.identity }

  /// Hashes what `==` compares.
  public func hash(into hasher: inout Hasher) { hasher.combine(identity) }
}

extension PromiseContext {
  /// This context, or the one inside `nowOr`.
  package var later: PromiseContext {
    if case .nowOr(let context) = self { context.later } else { self }
  }

  /// Whether work on this context runs inside the call, if there is nothing to wait for.
  var isNow: Bool {
    switch self {
    case .immediate, .nowOr: true
    default: false
    }
  }
}
