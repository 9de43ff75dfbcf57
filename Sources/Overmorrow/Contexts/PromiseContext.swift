public import Dispatch

/// Where a callback runs.
///
/// Two contexts are equal when they are the same case and, where they name a queue, an executor or an actor, the same object; the
/// label of a queue does not matter.
public enum PromiseContext: Sendable {
  /// The main queue, in one pass with others: a callback that becomes due while others run on `main` joins their pass, and
  /// no other work of the queue runs between them. `.queue(.main)` takes a turn of the queue for each callback instead.
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
  /// `.queue(.main)` is not ``main``: each callback takes a turn of the main queue of its own, so that other work of the
  /// queue, such as drawing, can run between two callbacks. On ``main`` they run in one pass.
  case queue(DispatchQueue)
  /// Anything that can run a closure.
  case executor(any PromiseExecutor)
  /// An actor. Callbacks run on it in the order in which they became ready; for `MainActor.shared` as on ``main``.
  ///
  /// A callback without a context runs on the actor on which it is written: see <doc:Contexts>.
  case actor(any Actor)
  /// Right there: inside the call that resolves the promise or, if it is resolved already, that registers the callback.
  ///
  /// A callback must then be ready to run on any thread. Good for creating promises, and for short work that does not
  /// care where it runs. Calls that nest more than a few dozen deep on one stack are put off until the outer ones
  /// return, so that no recursion overflows the stack.
  case immediate
  /// Inside the registering call if the promise is resolved already; otherwise on the context given.
  ///
  /// Use it where a value that is there must be shown without delay: `PromiseContext.isExecutingNow` then tells the
  /// callback which of the two happened. In `Promise.init(on:_:)` the body runs before the initialiser returns; the body
  /// of a `LazyPromise` or a `PromiseOperation` runs on the context given.
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
  /// Whether both are the same case, with the same queue, executor or actor.
  public static func == (left: PromiseContext, right: PromiseContext) -> Bool {
    switch (left, right) {
    case (.main, .main), (.background, .background), (.utility, .utility), (.default, .default),
      (.userInitiated, .userInitiated), (.userInteractive, .userInteractive), (.immediate, .immediate):
      true
    case (.queue(let left), .queue(let right)): left === right
    case (.executor(let left), .executor(let right)): left === right
    case (.actor(let left), .actor(let right)): left === right
    case (.nowOr(let left), .nowOr(let right)): left == right
    default: false
    }
  }

  /// Hashes the case, and the identity of the queue, the executor or the actor.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .main: hasher.combine(0)
    case .background: hasher.combine(1)
    case .utility: hasher.combine(2)
    case .default: hasher.combine(3)
    case .userInitiated: hasher.combine(4)
    case .userInteractive: hasher.combine(5)
    case .immediate: hasher.combine(6)
    case .queue(let queue):
      hasher.combine(7)
      hasher.combine(ObjectIdentifier(queue))
    case .executor(let executor):
      hasher.combine(8)
      hasher.combine(ObjectIdentifier(executor))
    case .nowOr(let context):
      hasher.combine(9)
      hasher.combine(context)
    case .actor(let actor):
      hasher.combine(10)
      hasher.combine(ObjectIdentifier(actor))
    }
  }
}

extension PromiseContext {
  /// This context, or the one inside `nowOr`.
  package var later: PromiseContext {
    if case .nowOr(let context) = self { context.later } else { self }
  }

  /// Whether work on this context runs right there, if nothing has to be waited for.
  var isNow: Bool {
    switch self {
    case .immediate, .nowOr: true
    default: false
    }
  }
}
