/// A mistake that the library has found in the use of promises. The program continues, except at the level
/// ``PromiseDiagnostics/Level/trap``.
///
/// `origin` is the place where the promise or the first promise of its chain was made, such as
/// "Weather/Loader.swift:31". It is `nil` if the place is unknown.
public enum PromiseDiagnostic: Sendable, Hashable {
  /// A promise was resolved with itself, directly or through a cycle of promises. The promise was cancelled.
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
}

extension PromiseDiagnostic: CustomStringConvertible {
  /// A description of the mistake and, if it is known, the place where the promise was made.
  public var description: String {
    let (origin, mistake, _) = parts("a promise")
    return mistake + (origin.map { "; it was made at \($0)" } ?? "")
  }

  /// The line to print: the place, the mistake, and how to correct it.
  package var line: String {
    let origin = parts("").origin
    let (_, mistake, advice) = parts(origin == nil ? "a promise" : "this promise")
    return "Overmorrow: \(origin.map { "\($0): " } ?? "")\(mistake.onOneLine).\(advice.map { " \($0)" } ?? "")"
  }

  /// The place where the promise was made, if it is known.
  package var origin: String? { parts("").origin }

  /// The place where the promise was made, the mistake, and how to correct it.
  private func parts(_ promise: String) -> (origin: String?, mistake: String, advice: String?) {
    switch self {
    case .resolvedWithItself(let origin):
      (
        origin, "\(promise) waits for itself, directly or through others, and was cancelled",
        "Look for a flatMap that returns the promise it belongs to, a resolver that is given its own promise, or a "
          + "load that waits for its own key."
      )
    case .resolverDropped(let origin):
      (
        origin, "the resolver of \(promise) was released before it had resolved the promise, which was then cancelled",
        "Call fulfill, reject or cancel on every path, and keep the resolver until then."
      )
    case .resolvedTwice(let origin, let isRejection):
      (
        origin,
        "\(promise) was "
          + (isRejection ? "rejected right after it was fulfilled" : "fulfilled right after it was rejected")
          + "; the second call did nothing", "Look for a missing return after the first call."
      )
    case .failureUnobserved(let origin, let error):
      (
        origin, "\(promise) was rejected, and no code read the error\(error.map { ": \($0)" } ?? "")",
        "End its chain with catch, or with always { _ in } to ignore the error."
      )
    case .neverResolved(let origin): (origin, "\(promise) was never resolved", nil)
    case .leaked(let origin): (origin, "\(promise) is still in memory", nil)
    case .invalidArgument(let text): (nil, text, nil)
    }
  }

  /// The diagnostic without its error. Without their errors, all diagnostics of unread errors from one place are equal.
  var withoutError: PromiseDiagnostic {
    if case .failureUnobserved(let origin, _) = self { .failureUnobserved(origin: origin) } else { self }
  }
}

extension String {
  /// This text on one line, shortened to 300 characters.
  fileprivate var onOneLine: String {
    let line = split(whereSeparator: \.isNewline).joined(separator: " ")
    return line.count > 300 ? line.prefix(300) + "…" : line
  }
}
