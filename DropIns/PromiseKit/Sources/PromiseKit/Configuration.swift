public import Dispatch
internal import Overmorrow

/// Settings for all promises of the program.
public struct PMKConfiguration {
  // swift-format-ignore: AlwaysUseLowerCamelCase
  /// The default queues. `return` is the queue for `done`, `get`, `catch`, `finally`, `ensure` and `ensureThen`. `map`
  /// is the queue for the other operators. If a queue is `nil`, the closures of its operators run without a hop.
  public var Q: (map: DispatchQueue?, return: DispatchQueue?) = (.main, .main)
  /// The default for the parameter `policy` of `catch` and `recover`.
  public var catchPolicy = CatchPolicy.allErrorsExceptCancellation
  /// The function that is called for each event that may be a mistake. By default, the function prints the words of the
  /// original library, followed by ``LogEvent/place`` if the place is known.
  public var logHandler: (LogEvent) -> Void = { print($0.text) }
}

private let current = Locked(Kept(PMKConfiguration()))

/// The settings for all promises of the program. They can be set at any time, on any thread.
public var conf: PMKConfiguration {
  get { current.withLock { $0 }.value }
  set {
    let old = current.withLock { conf in
      defer { conf = Kept(newValue) }
      return conf
    }
    withExtendedLifetime(old) {}
  }
}

/// The errors that `catch` and `recover` handle.
public enum CatchPolicy: Sendable {
  /// All errors.
  case allErrors
  /// All errors except those whose `isCancelled` is true.
  case allErrorsExceptCancellation
}

/// An event that may be a mistake.
public enum LogEvent: Sendable {
  /// `wait()` was called on the main thread and blocks that thread.
  case waitOnMainThread
  /// A resolver was released without resolving its promise. The promise stays pending for ever.
  case pendingPromiseDeallocated
  /// The function that resolves a guarantee was released without being called. The guarantee stays pending for ever.
  case pendingGuaranteeDeallocated
  /// `cauterize()` ended a chain with this error.
  case cauterized(any Error)

  /// The place where the promise of the event was made, such as "Weather/Loader.swift:31". The value is `nil` if the
  /// place is unknown. Outside a call of the log handler, the value is `nil`.
  @TaskLocal public static var place: String?

  /// The event in the words of the original library, followed by the place. Tests and log filters search for these
  /// words.
  var text: String {
    let words =
      switch self {
      case .waitOnMainThread: "PromiseKit: warning: `wait()` called on main thread!"
      case .pendingPromiseDeallocated: "PromiseKit: warning: pending promise deallocated"
      case .pendingGuaranteeDeallocated: "PromiseKit: warning: pending guarantee deallocated"
      case .cauterized(let error): "PromiseKit:cauterized-error: \(error)"
      }
    return Self.place.map { "\(words): \($0)" } ?? words
  }
}

/// Passes an event to the log handler.
@usableFromInline func log(_ event: LogEvent) { conf.logHandler(event) }
