internal import Synchronization

/// A promise whose work starts when somebody first asks for it.
///
/// ```swift
/// let preview = DelayedPromise<Image, any Error>(on: .utility) { resolver in
///   resolver.fulfill(with: try render())
/// }
/// // nothing has been rendered yet
/// preview.promise.then { show($0) }
/// ```
///
/// All copies are the same delayed promise, and equal. If nobody ever asks, the work is never done.
public struct DelayedPromise<Value: Sendable, Failure: Sendable>: Sendable {
  /// What resolves the promise.
  public typealias Resolver = Promise<Value, Failure>.Resolver

  private let storage: Storage

  /// A promise whose body runs when ``promise`` is first read.
  ///
  /// - Parameters:
  ///   - context: Where the body runs. `.nowOr(context)` means `context`.
  ///   - body: The work. It resolves the promise through the resolver, during the call or later.
  @_disfavoredOverload
  public init(on context: PromiseContext, _ body: @escaping @Sendable (_ resolver: Resolver) -> Void) {
    storage = Storage(context: context.later, body: body)
  }

  /// The promise. Reading it for the first time starts the work; it is always the same promise.
  public var promise: Promise<Value, Failure> { storage.promise() }

  private final class Storage: Sendable {
    private enum State {
      case waiting(PromiseContext, @Sendable (Resolver) -> Void)
      case started(Promise<Value, Failure>)
    }

    private let state: Mutex<State>

    init(context: PromiseContext, body: @escaping @Sendable (Resolver) -> Void) {
      state = Mutex(.waiting(context, body))
    }

    func promise() -> Promise<Value, Failure> {
      let (promise, start) = state.withLock { state -> (Promise<Value, Failure>, (@Sendable () -> Void)?) in
        switch state {
        case .started(let promise): return (promise, nil)
        case .waiting(let context, let body):
          let (promise, resolver) = Promise<Value, Failure>.makeWithResolver()
          state = .started(promise)
          return (promise, { context.perform { body(resolver) } })
        }
      }
      // Outside the lock: the body may ask for the promise itself.
      start?()
      return promise
    }

    static func === (left: Storage, right: Storage) -> Bool { ObjectIdentifier(left) == ObjectIdentifier(right) }
  }
}

extension DelayedPromise where Failure: Error {
  /// A promise whose body runs when ``promise`` is first read, and that is rejected with what the body throws.
  ///
  /// - Parameters:
  ///   - context: Where the body runs. `.nowOr(context)` means `context`.
  ///   - body: The work. It resolves the promise through the resolver, during the call or later.
  public init(on context: PromiseContext, _ body: @escaping @Sendable (_ resolver: Resolver) throws(Failure) -> Void) {
    storage = Storage(context: context.later) { resolver in
      do throws(Failure) { try body(resolver) } catch { resolver.reject(with: error) }
    }
  }
}

extension DelayedPromise: Equatable {
  /// Whether both are copies of one delayed promise.
  public static func == (left: DelayedPromise, right: DelayedPromise) -> Bool { left.storage === right.storage }
}
