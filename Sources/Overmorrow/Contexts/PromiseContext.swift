public import Dispatch

/// Where a callback runs.
///
/// Two contexts are equal if they are the same case, with the same queue, executor, actor or inner context. The label
/// of a queue does not matter.
public enum PromiseContext: Sendable {
  /// The main queue. A callback that becomes ready while others run on `main` joins their pass, and no other work of
  /// the queue runs between them. With `.queue(.main)`, each callback takes its own turn of the queue instead.
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
  /// `.queue(.main)` differs from ``main``: each callback takes its own turn of the main queue, so that other work of
  /// the queue, such as drawing, can run between two callbacks. On ``main``, callbacks run in one pass.
  case queue(DispatchQueue)
  /// An executor: an object that runs closures.
  case executor(any PromiseExecutor)
  /// An actor. Callbacks run on it in the order in which they became ready. `MainActor.shared` counts as ``main``.
  ///
  /// A callback without a context runs on the actor that it is isolated to: see <doc:Contexts>.
  case actor(any Actor)
  /// Inside the call that resolves the promise or, if the promise is already resolved, inside the call that registers
  /// the callback.
  ///
  /// Such a callback may run on any thread. Use this context for short work that may run anywhere, and for the bodies
  /// of promises that only start work. Calls nest up to 24 deep on one stack. Deeper ones are deferred until an outer
  /// call returns, so that no recursion overflows the stack.
  case immediate
  /// Inside the registering call if the promise is already resolved, and otherwise on the given context.
  ///
  /// Use it to show an available value without delay. In the callback, ``isExecutingNow`` is `true` if the callback
  /// runs inside the registering call. The body of `Promise.init(on:_:)` runs before the initialiser returns. The body
  /// of a `LazyPromise` or a `PromiseOperation` runs on the given context.
  indirect case nowOr(PromiseContext)

  /// Creates the context of the global queue with a quality of service; `.default` if it is unspecified.
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

  /// ``main`` if the caller runs on the main queue, and otherwise ``default``.
  ///
  /// This is evaluated when a callback is registered. An operator without a context uses it if its closure is isolated
  /// to no actor.
  public static var auto: PromiseContext { MainQueue.isCurrent ? .main : .default }
}

extension PromiseContext: Hashable {
  /// The identity of a context: its case, and its object or inner context.
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
  /// This context, or the inner context of `nowOr`.
  package var later: PromiseContext {
    if case .nowOr(let context) = self { context.later } else { self }
  }

  /// Whether work on this context runs inside the call that submits it, if there is nothing to wait for.
  var isNow: Bool {
    switch self {
    case .immediate, .nowOr: true
    default: false
    }
  }
}
