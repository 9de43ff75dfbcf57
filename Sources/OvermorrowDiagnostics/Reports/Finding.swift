/// A mistake that the library has found in the use of promises: what `PromiseDiagnostic` is for programs. Its cases are
/// documented there.
package enum Finding: Sendable, Hashable {
  case resolvedWithItself(origin: String? = nil)
  case resolverDropped(origin: String? = nil)
  case resolvedTwice(origin: String?, isRejection: Bool)
  case invalidArgument(String)
  case neverResolved(origin: String?)
  case failureUnobserved(origin: String?, error: String? = nil)
  case leaked(origin: String?)
  case longWait(origin: String?, waitsFor: String? = nil)
  case deadlock(origin: String?, cycle: [String])
  case longCallback(origin: String?, step: String? = nil, queue: String, duration: Duration)
}

extension Finding: CustomStringConvertible {
  /// A description of the mistake and, if they are known, the name of the promise and the place where it was made.
  package var description: String {
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
  var withoutDetails: Finding {
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
