public import Dispatch
internal import Overmorrow

/// Settings for all promises of the program.
public struct PMKConfiguration {
  // swift-format-ignore: AlwaysUseLowerCamelCase
  /// The default queues: `map` for closures that transform a result, `return` for closures that end a chain. `nil`
  /// means that the closure runs inside the call that resolves the promise.
  public var Q: (map: DispatchQueue?, return: DispatchQueue?) = (.main, .main)
  /// The errors that `catch` and `recover` handle unless a call says otherwise.
  public var catchPolicy = CatchPolicy.allErrorsExceptCancellation
  /// Called for each event that may be a mistake. By default it prints the words of the original library, and then
  /// ``LogEvent/place`` if that is known.
  public var logHandler: (LogEvent) -> Void = { print($0.text) }
}

private let current = Guarded(Kept(PMKConfiguration()))

/// The settings for all promises of the program. May be set at any time, from any thread.
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
  /// `wait()` was called on the main thread and blocks it.
  case waitOnMainThread
  /// A resolver was released without resolving its promise, which stays pending for ever.
  case pendingPromiseDeallocated
  /// The function that resolves a guarantee was released without being called. The guarantee stays pending for ever.
  case pendingGuaranteeDeallocated
  /// `cauterize()` ended a chain with this error.
  case cauterized(any Error)

  /// The place where the promise of the event was made, such as "Weather/Loader.swift:31". Set while a log handler
  /// runs.
  @TaskLocal public static var place: String?

  /// The event in the words of the original library, for which tests and filters of logs search, and then the place.
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
