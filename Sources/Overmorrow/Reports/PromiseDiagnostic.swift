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
  public var description: String {
    let text = mistake("a promise") + (place.map { "; it was made at \($0)" } ?? "")
    if case .deadlock(_, let cycle) = self { return "\(text): \(cycle.joined(separator: "; "))" }
    return text
  }

  /// The line to print: the place, the mistake, and how to correct it.
  package var line: String {
    "\(prefix)\(mistake(subject).onOneLine).\(parts("").advice.map { " \($0)" } ?? "")"
  }

  /// Returns the line to print if this mistake has been found `count` times at this place.
  func repetition(_ count: Int) -> String {
    "\(prefix)and \(count - 1) more like it. The last one: \(mistake(subject).onOneLine)."
  }

  /// The place where the promise was made, and the name of the promise; `nil` if neither is known.
  package var origin: String? { parts("").origin }

  /// The place where the promise was made, without the name; `nil` if the place is unknown.
  private var place: String? { Self.split(origin).place }
  private var prefix: String { "Overmorrow: \(place.map { "\($0): " } ?? "")" }
  private var subject: String { place == nil ? "a promise" : "this promise" }

  /// Returns the text of the mistake. `promise` is the text for the promise, to which the name is added.
  private func mistake(_ promise: String) -> String {
    parts(promise + (Self.split(origin).name.map { " \"\($0)\"" } ?? "")).mistake
  }

  /// Splits the text of an origin into the place and the name. A place contains no quote.
  private static func split(_ origin: String?) -> (place: String?, name: String?) {
    guard let origin, let quote = origin.firstIndex(of: "\""), origin.hasSuffix("\"") else { return (origin, nil) }
    let name = origin[quote...].dropFirst().dropLast()
    return (quote == origin.startIndex ? nil : String(origin[..<quote].dropLast()), String(name))
  }

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
    case .longWait(let origin, let cause):
      (
        origin,
        "a wait for \(promise) has blocked a thread of its queue for a second"
          + (cause.map { "; the promise waits for \($0)" } ?? ""),
        "Use a callback or await, or wait on another thread."
      )
    case .deadlock(let origin, let cycle):
      (
        origin,
        cycle.allSatisfy { $0.hasPrefix("the task ") } && !cycle.isEmpty
          ? "a task can never end, because it waits for itself"
          : "\(promise) can never resolve, because it waits for itself",
        cycle.first.map { first in "\(first.prefix(1).uppercased() + cycle.joined(separator: "; ").dropFirst())." }
      )
    case .longCallback(let origin, let step, let queue, let duration):
      (
        origin,
        "\(step.map { "the callback at \($0)" } ?? "a callback") of \(promise) has kept \(queue) for longer than "
          + "\(duration)", "Run long work on a global queue, and return to this queue for the result."
      )
    case .invalidArgument(let text): (nil, text, nil)
    }
  }

  /// Whether the program is only slow. A program must not stop because it is slow.
  var isAboutTime: Bool {
    switch self {
    case .longWait, .longCallback: true
    default: false
    }
  }

  /// The diagnostic without its error and its name. The diagnostics of one mistake at one place are equal without them.
  var withoutDetails: PromiseDiagnostic {
    switch self {
    case .resolvedWithItself: .resolvedWithItself(origin: place)
    case .resolverDropped: .resolverDropped(origin: place)
    case .resolvedTwice(_, let isRejection): .resolvedTwice(origin: place, isRejection: isRejection)
    case .failureUnobserved: .failureUnobserved(origin: place)
    case .neverResolved: .neverResolved(origin: place)
    case .leaked: .leaked(origin: place)
    case .longWait: .longWait(origin: place)
    case .deadlock: .deadlock(origin: place, cycle: [])
    case .longCallback(_, let step, _, _): .longCallback(origin: place, step: step, queue: "", duration: .zero)
    case .invalidArgument: self
    }
  }
}

extension String {
  /// This text on one line, shortened to 300 characters.
  fileprivate var onOneLine: String {
    let line = split(whereSeparator: \.isNewline).joined(separator: " ")
    return line.count > 300 ? line.prefix(300) + "…" : line
  }
}
