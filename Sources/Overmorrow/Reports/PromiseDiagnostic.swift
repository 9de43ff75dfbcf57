/// Something that is survived, but that its programmer would want to know.
///
/// `origin` says where the promise was made, or the one that it comes from: as in "Weather/Loader.swift:31", or `nil` if
/// that is not known.
public enum PromiseDiagnostic: Sendable, Hashable {
  /// A promise was resolved with itself, directly or round a cycle. It was cancelled.
  case resolvedWithItself(origin: String? = nil)
  /// The last copy of a resolver went away without having resolved its promise. The promise was cancelled.
  case resolverDropped(origin: String? = nil)
  /// A promise was rejected right after it had been fulfilled, or fulfilled right after it had been rejected, by the same
  /// thread: the second call did nothing. `isRejection` says which of the two it was.
  case resolvedTwice(origin: String?, isRejection: Bool)
  /// A value was given that makes no sense. The text names it, and what it counts as.
  case invalidArgument(String)
  /// A promise was still unresolved when the checks on it ended: its work goes on for ever, or its resolver is kept by a
  /// cycle of references.
  case neverResolved(origin: String?)
  /// A promise was rejected, and nothing and nobody has looked at the error. `error` is its description, if it is known.
  case failureUnobserved(origin: String?, error: String? = nil)
  /// A resolved promise was still in memory when the checks on it ended, which were told to look for that. Something
  /// keeps it, such as a cycle of references.
  case leaked(origin: String?)
}

extension PromiseDiagnostic: CustomStringConvertible {
  /// What has happened, in words.
  public var description: String {
    switch self {
    case .resolvedWithItself(let origin): "a promise was resolved with itself" + PromiseDiagnostic.made(origin)
    case .resolverDropped(let origin):
      "a resolver went away without having resolved its promise" + PromiseDiagnostic.made(origin)
    case .resolvedTwice(let origin, true):
      "a promise was rejected after it was fulfilled" + PromiseDiagnostic.made(origin)
    case .resolvedTwice(let origin, false):
      "a promise was fulfilled after it was rejected" + PromiseDiagnostic.made(origin)
    case .invalidArgument(let text): text
    case .neverResolved(let origin): "a promise was never resolved" + PromiseDiagnostic.made(origin)
    case .failureUnobserved(let origin, nil): "nobody looked at the error of a promise" + PromiseDiagnostic.made(origin)
    case .failureUnobserved(let origin, let error?):
      "nobody looked at the error of a promise, \(error)" + PromiseDiagnostic.made(origin)
    case .leaked(let origin): "a promise is kept in memory" + PromiseDiagnostic.made(origin)
    }
  }

  private static func made(_ origin: String?) -> String { origin.map { "; it was made at \($0)" } ?? "" }
}

extension PromiseDiagnostic {
  /// What is printed, in one line: where, what, and what to do.
  package var line: String {
    switch self {
    case .resolvedWithItself(let origin):
      PromiseDiagnostic.line(
        origin, { "\($0) waits for itself, directly or through others, and was cancelled." },
        "Look for a flatMap that returns the promise it belongs to, or a resolver that is given its own promise.")
    case .resolverDropped(let origin):
      PromiseDiagnostic.line(
        origin, { "the resolver of \($0) went away without having resolved it, and the promise was cancelled." },
        "Call fulfill, reject or cancel on every path, and keep the resolver until then.")
    case .resolvedTwice(let origin, let isRejection):
      PromiseDiagnostic.line(
        origin,
        {
          let (second, first) = isRejection ? ("rejected", "fulfilled") : ("fulfilled", "rejected")
          return "\($0) was \(second) right after it was \(first); the second call did nothing."
        }, "Look for a missing return behind the first call.")
    case .failureUnobserved(let origin, let error):
      PromiseDiagnostic.line(
        origin, { "\($0) was rejected, and nobody looked at the error\(error.map { ": \($0.onOneLine)" } ?? "")." },
        "End its chain with catch, or with always { _ in } to ignore the error.")
    case .neverResolved(let origin): PromiseDiagnostic.line(origin, { "\($0) was never resolved." })
    case .leaked(let origin): PromiseDiagnostic.line(origin, { "\($0) is kept in memory." })
    case .invalidArgument(let text): "Overmorrow: \(text)."
    }
  }

  private static func line(_ origin: String?, _ what: (_ promise: String) -> String, _ advice: String? = nil) -> String
  {
    let place = origin.map { "\($0): " } ?? ""
    return "Overmorrow: \(place)\(what(origin == nil ? "a promise" : "this promise"))\(advice.map { " \($0)" } ?? "")"
  }

  /// The same for all errors from one place.
  var withoutError: PromiseDiagnostic {
    if case .failureUnobserved(let origin, _) = self { .failureUnobserved(origin: origin) } else { self }
  }
}

extension String {
  /// Not more than a line that can be read.
  fileprivate var onOneLine: String {
    let line = split(whereSeparator: \.isNewline).joined(separator: " ")
    return line.count > 200 ? line.prefix(200) + "…" : line
  }
}
