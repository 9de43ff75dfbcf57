public import Dispatch
internal import OvermorrowEngine

/// The place where a callback runs, such as a queue or an actor.
///
/// Two contexts are equal if they are the same case, with the same queue object, executor, actor or inner context. The
/// label of a queue does not matter.
public enum PromiseContext: Sendable {
  /// The main queue. If a callback becomes ready while other callbacks run on `main`, it joins their pass. No other
  /// work of the queue runs between the callbacks of a pass. With `.queue(.main)`, each callback takes its own turn of
  /// the queue instead.
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
  /// An actor. Callbacks run on the actor in the order in which they became ready. `MainActor.shared` counts as
  /// ``main``.
  ///
  /// If a callback is isolated to an actor and registered without a context, it runs on that actor. See <doc:Contexts>.
  case actor(any Actor)
  /// Inside the call that resolves the promise or, if the promise is already resolved, inside the call that registers
  /// the callback.
  ///
  /// Such a callback may run on any thread. Use this context for short work that may run anywhere. Use it also for the
  /// body of a promise if the body only starts work. Calls nest up to 24 deep on one stack. A deeper call is deferred
  /// until an outer call returns, so that no recursion overflows the stack.
  case immediate
  /// Inside the registering call if the promise is already resolved, and otherwise on the given context.
  ///
  /// Use this context to show an available value without delay. In the callback, ``isExecutingNow`` is `true` if the
  /// callback runs inside the registering call. With this context, the body of `Promise.init(on:_:)` runs before the
  /// initialiser returns. The body of a `LazyPromise` or a `PromiseOperation` runs on the given context.
  indirect case nowOr(PromiseContext)

  /// Creates the context of the global queue with a quality of service. For an unspecified quality of service, creates
  /// ``default``.
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
  /// If an operator is called without a context, and its closure is isolated to no actor, the operator uses this
  /// property. The property is evaluated when the closure is registered.
  public static var auto: PromiseContext { MainQueue.isCurrent ? .main : .default }
}

extension PromiseContext: Hashable {
  /// The identity of a context: a number for its case, 16 more for each `nowOr` around it, and its object.
  private var identity: (kind: Int, object: ObjectIdentifier?) {
    switch self {
    case .main: (0, nil)
    case .background: (1, nil)
    case .utility: (2, nil)
    case .default: (3, nil)
    case .userInitiated: (4, nil)
    case .userInteractive: (5, nil)
    case .immediate: (6, nil)
    case .queue(let queue): (7, ObjectIdentifier(queue))
    case .executor(let executor): (8, ObjectIdentifier(executor))
    case .actor(let actor): (9, ObjectIdentifier(actor))
    case .nowOr(let context): { ($0.kind + 16, $0.object) }(context.identity)
    }
  }

  /// Returns whether two contexts are the same context. Queues, executors and actors are compared by identity.
  public static func == (left: PromiseContext, right: PromiseContext) -> Bool { left.identity == right.identity }

  /// Hashes the identity that `==` compares.
  public func hash(into hasher: inout Hasher) {
    let identity = identity
    hasher.combine(identity.kind)
    hasher.combine(identity.object)
  }
}

extension PromiseContext {
  /// The inner context if this context is `nowOr`; otherwise this context.
  package var later: PromiseContext {
    if case .nowOr(let context) = self { context.later } else { self }
  }

  @inlinable
  var isImmediate: Bool { if case .immediate = self { true } else { false } }

  /// Whether work that waits for nothing runs inside the call that submits the work to this context.
  package var isNow: Bool {
    switch self {
    case .immediate, .nowOr: true
    default: false
    }
  }
}
