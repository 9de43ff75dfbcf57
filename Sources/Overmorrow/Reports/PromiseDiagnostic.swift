/// A mistake that the program survives, but that its programmer should know of.
///
/// `origin` says where the promise was made, or the one that it comes from: as in "Weather/Loader.swift:31", or `nil`
/// if that is not known.
public enum PromiseDiagnostic: Sendable, Hashable {
  /// A promise was resolved with itself, directly or round a cycle. It was cancelled.
  case resolvedWithItself(origin: String? = nil)
  /// The last copy of a resolver was released without having resolved its promise. The promise was cancelled.
  case resolverDropped(origin: String? = nil)
  /// A promise was rejected right after it had been fulfilled, or fulfilled right after it had been rejected, by the
  /// same thread: the second call did nothing. `isRejection` says which of the two it was.
  case resolvedTwice(origin: String?, isRejection: Bool)
  /// An argument was out of range. The text names it, and the value used instead.
  case invalidArgument(String)
  /// A promise was still unresolved when the checks on it ended: its work goes on for ever, or its resolver is kept by
  /// a cycle of references.
  case neverResolved(origin: String?)
  /// A promise was rejected, and no code has read the error. `error` is its description, if it is known.
  case failureUnobserved(origin: String?, error: String? = nil)
  /// A resolved promise was still in memory when the checks on it ended, which were told to look for that. Something
  /// keeps it, such as a cycle of references.
  case leaked(origin: String?)
}

extension PromiseDiagnostic: CustomStringConvertible {
  /// What has happened, in words.
  public var description: String {
    let (origin, what, _) = parts("a promise")
    return what + (origin.map { "; it was made at \($0)" } ?? "")
  }

  /// What is printed, in one line: where, what, and what to do.
  package var line: String {
    let origin = parts("").origin
    let (_, what, advice) = parts(origin == nil ? "a promise" : "this promise")
    return "Overmorrow: \(origin.map { "\($0): " } ?? "")\(what.onOneLine).\(advice.map { " \($0)" } ?? "")"
  }

  /// Where the promise was made, if that is known.
  package var origin: String? { parts("").origin }

  /// Where the promise was made, what has happened to it, and what to do.
  private func parts(_ promise: String) -> (origin: String?, what: String, advice: String?) {
    switch self {
    case .resolvedWithItself(let origin):
      (
        origin, "\(promise) waits for itself, directly or through others, and was cancelled",
        "Look for a flatMap that returns the promise it belongs to, or a resolver that is given its own promise."
      )
    case .resolverDropped(let origin):
      (
        origin, "the resolver of \(promise) went away without having resolved it, and the promise was cancelled",
        "Call fulfill, reject or cancel on every path, and keep the resolver until then."
      )
    case .resolvedTwice(let origin, let isRejection):
      (
        origin,
        "\(promise) was "
          + (isRejection ? "rejected right after it was fulfilled" : "fulfilled right after it was rejected")
          + "; the second call did nothing", "Look for a missing return behind the first call."
      )
    case .failureUnobserved(let origin, let error):
      (
        origin, "\(promise) was rejected, and nobody looked at the error\(error.map { ": \($0)" } ?? "")",
        "End its chain with catch, or with always { _ in } to ignore the error."
      )
    case .neverResolved(let origin): (origin, "\(promise) was never resolved", nil)
    case .leaked(let origin): (origin, "\(promise) is kept in memory", nil)
    case .invalidArgument(let text): (nil, text, nil)
    }
  }

  /// The diagnostic without the error, the same for all errors from one place.
  var withoutError: PromiseDiagnostic {
    if case .failureUnobserved(let origin, _) = self { .failureUnobserved(origin: origin) } else { self }
  }
}

extension String {
  /// On one line, with a bound on its length.
  fileprivate var onOneLine: String {
    let line = split(whereSeparator: \.isNewline).joined(separator: " ")
    return line.count > 300 ? line.prefix(300) + "…" : line
  }
}
