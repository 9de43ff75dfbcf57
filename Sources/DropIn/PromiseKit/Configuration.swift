public import Dispatch
internal import Overmorrow

/// What holds for all promises of the program.
public struct PMKConfiguration {
  // swift-format-ignore: AlwaysUseLowerCamelCase
  /// Where closures run that are given no queue: those that transform, and those that end a chain. `nil` is right
  /// there.
  public var Q: (map: DispatchQueue?, return: DispatchQueue?) = (.main, .main)
  /// Which errors `catch` and `recover` handle, unless they say so themselves.
  public var catchPolicy = CatchPolicy.allErrorsExceptCancellation
  /// Called with what may be a mistake. By default it prints the event, and the place if ``LogEvent/place`` has one.
  public var logHandler: (LogEvent) -> Void = { event in
    print(event, LogEvent.place ?? "", separator: LogEvent.place == nil ? "" : ": ")
  }
}

private let current = Guarded(Kept(PMKConfiguration()))

/// What holds for all promises of the program. May be set at any time, from any thread.
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

/// Which errors `catch` and `recover` handle.
public enum CatchPolicy: Sendable {
  /// All errors.
  case allErrors
  /// All but those of which `isCancelled` is true.
  case allErrorsExceptCancellation
}

/// What may be a mistake.
public enum LogEvent: Sendable {
  /// The main thread is blocked by `wait()`.
  case waitOnMainThread
  /// A resolver has gone without resolving its promise, which stays pending for ever.
  case pendingPromiseDeallocated
  /// What resolves a guarantee has gone, and the guarantee stays pending for ever.
  case pendingGuaranteeDeallocated
  /// An error that `cauterize()` has ended.
  case cauterized(any Error)

  /// While a log handler runs: where the promise was made that the event is about, as in "Weather/Loader.swift:31".
  @TaskLocal public static var place: String?
}

/// Writes an event to the log.
@usableFromInline func log(_ event: LogEvent) { conf.logHandler(event) }
