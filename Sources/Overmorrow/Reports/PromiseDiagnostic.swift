internal import OvermorrowDiagnostics

/// A mistake that the library has found in the use of promises. The program continues, except at the level
/// ``PromiseDiagnostics/Level/trap``.
///
/// `origin` is the place where the promise or the first promise of its chain was made, such as
/// "Weather/Loader.swift:31". If the promise has a name, the name follows in quotes, such as
/// "Weather/Loader.swift:31 "order 17"". The origin is `nil` if neither is known.
public enum PromiseDiagnostic: Sendable, Hashable {
  /// A promise was resolved with itself, or a watched promise waited for itself through others. The promise was
  /// cancelled.
  case resolvedWithItself(origin: String? = nil)
  /// The last copy of a resolver was released before its promise was resolved. The promise was cancelled.
  case resolverDropped(origin: String? = nil)
  /// The same thread rejected a promise right after fulfilling it, or fulfilled a promise right after rejecting it. The
  /// second call had no effect. `isRejection` is `true` if the second call was the rejection.
  case resolvedTwice(origin: String?, isRejection: Bool)
  /// An argument was out of range. The text names the argument and the value that was used instead.
  case invalidArgument(String)
  /// A promise was still unresolved when the checks on it ended. For example, its work has not finished, or a reference
  /// cycle retains its resolver.
  case neverResolved(origin: String?)
  /// A promise was rejected, and no code has read the error. `error` is the description of the error; `nil` if the
  /// description is unknown.
  case failureUnobserved(origin: String?, error: String? = nil)
  /// A resolved promise was still in memory when checks with `leaks: true` ended. Something retains it, such as a
  /// reference cycle.
  case leaked(origin: String?)
  /// A blocking wait for a promise has lasted a second on the main queue or on a thread of a pool. The wait continues.
  /// `waitsFor` says what the promise waits for in the end. At the level ``PromiseDiagnostics/Level/trap``, the program
  /// continues, too.
  case longWait(origin: String?, waitsFor: String? = nil)
  /// Promises, tasks and queues wait for one another, so that none of them can end. Only a request to cancel, or a
  /// change such as that of a limiter's width, could still end them. Each text of `cycle` says who waits for whom, with
  /// the places where the promises were made. If there are more than 20 waits, the last text is "and", the number of
  /// the waits that are left out, and "more".
  case deadlock(origin: String?, cycle: [String])
  /// A callback or a body of a watched promise has kept the main queue or a serial queue for longer than the limit
  /// ``PromiseDiagnostics/stallLimit``. The callback still runs, or has just ended.
  ///
  /// `step` is the place of the operator's call, such as "Loader.swift:33". In debug builds that do not know lines, it
  /// is the address of the call, such as "App+0x12f4". It is `nil` in release builds, if an immediate callback ran
  /// inside the call that registered it, or for a body. `queue` is "the main queue", or "the queue" and its label.
  /// `duration` is the limit. At the level ``PromiseDiagnostics/Level/trap``, the program continues, too.
  case longCallback(origin: String?, step: String? = nil, queue: String, duration: Duration)
}

extension PromiseDiagnostic: CustomStringConvertible {
  /// A description of the mistake and, if they are known, the name of the promise and the place where it was made.
  public var description: String { Finding(self).description }
}

extension PromiseDiagnostic {
  /// The place where the promise was made, and the name of the promise; `nil` if neither is known.
  package var origin: String? { Finding(self).origin }

  init(_ finding: Finding) {
    self =
      switch finding {
      case .resolvedWithItself(let origin): .resolvedWithItself(origin: origin)
      case .resolverDropped(let origin): .resolverDropped(origin: origin)
      case .resolvedTwice(let origin, let isRejection): .resolvedTwice(origin: origin, isRejection: isRejection)
      case .invalidArgument(let text): .invalidArgument(text)
      case .neverResolved(let origin): .neverResolved(origin: origin)
      case .failureUnobserved(let origin, let error): .failureUnobserved(origin: origin, error: error)
      case .leaked(let origin): .leaked(origin: origin)
      case .longWait(let origin, let cause): .longWait(origin: origin, waitsFor: cause)
      case .deadlock(let origin, let cycle): .deadlock(origin: origin, cycle: cycle)
      case .longCallback(let origin, let step, let queue, let duration):
        .longCallback(origin: origin, step: step, queue: queue, duration: duration)
      }
  }
}

extension Finding {
  package init(_ diagnostic: PromiseDiagnostic) {
    self =
      switch diagnostic {
      case .resolvedWithItself(let origin): .resolvedWithItself(origin: origin)
      case .resolverDropped(let origin): .resolverDropped(origin: origin)
      case .resolvedTwice(let origin, let isRejection): .resolvedTwice(origin: origin, isRejection: isRejection)
      case .invalidArgument(let text): .invalidArgument(text)
      case .neverResolved(let origin): .neverResolved(origin: origin)
      case .failureUnobserved(let origin, let error): .failureUnobserved(origin: origin, error: error)
      case .leaked(let origin): .leaked(origin: origin)
      case .longWait(let origin, let cause): .longWait(origin: origin, waitsFor: cause)
      case .deadlock(let origin, let cycle): .deadlock(origin: origin, cycle: cycle)
      case .longCallback(let origin, let step, let queue, let duration):
        .longCallback(origin: origin, step: step, queue: queue, duration: duration)
      }
  }
}
