internal import OvermorrowEngine

/// The way of an error: the promise where the chain begins, the steps up to the one that was rejected, and the promises
/// that took over the error afterwards.
///
/// ```
///   made at Weather/Loader.swift:31
///   map at Loader.swift:33 on utility, rejected here
///   tap at Loader.swift:35 on main
/// ```
///
/// A promise may adopt another promise, such as the promise that the closure of a `flatMap` returns. Then the way of
/// the other promise precedes the entry of the adoption.
///
/// The places of steps are known only in debug builds on Linux. In other debug builds, and in release builds that
/// record trails, steps have ``Entry/calls``.
public struct PromiseTrail: Sendable {
  /// One promise on the way of the error.
  public struct Entry: Sendable, Hashable {
    /// How the promise came to be on the way.
    public enum Kind: String, Sendable {
      /// A promise that no operator has made.
      case promise
      /// A promise that an operator has made.
      case step
      /// A promise that has adopted the promise of the entry before it.
      case adoption
    }

    /// How the promise came to be on the way.
    public let kind: Kind
    /// The name of the operator, such as "map", or the kind of work that resolves a promise, such as "timer"; `nil` if
    /// it is unknown, or if a resolver of the program resolves the promise.
    public let operation: String?
    /// The place of the call that made the promise, such as "Loader.swift:33"; `nil` if the place is unknown.
    public let place: String?
    /// The name from ``Promise/named(_:)``; `nil` if there is no name.
    public let name: String?
    /// The context of the step's callback; `nil` if there is no such callback.
    public let context: String?
    /// The attempt of a retry, such as "attempt 3", or the key of a load of a cache or of a call of a batch, such as
    /// "key \"home\""; `nil` for other promises. The text of a key is shortened to 100 characters. For a retry, this is
    /// the last attempt that has begun.
    public let detail: String?
    /// Whether the code of this promise has made the error. `false` for promises that took over the error.
    public let isRejectedHere: Bool
    /// The return addresses of the calls that made the promise, the innermost call first.
    let addresses: [UInt]

    /// The calls that made the promise, the innermost call first, for a tool that finds the places of addresses. Empty
    /// if the calls were not captured, or if the promise is not a step.
    ///
    /// A call is the name of an executable file or library, and the address of the call's last byte in that file, such
    /// as "App+0x12f4". With the debug information of the file, `llvm-symbolizer --obj=App 0x12f4` prints the functions
    /// and lines of the call. On Apple's systems, the address is counted from the beginning of the file in memory.
    public var calls: [String] { CallStack(addresses: addresses).texts }
  }

  /// The promises on the way. The first promise is the first entry. A long way is shortened in its middle to 32
  /// entries.
  public let entries: [Entry]
  /// The number of promises that are left out in the middle of the way.
  public let omitted: Int
  /// The number of entries before the promises that are left out.
  let firstCount: Int
  /// Whether the trail may be that of another error with the same type and the same description. The description says
  /// so in its first line.
  public internal(set) var isGuess = false
}

extension PromiseTrail: CustomStringConvertible {
  /// The way with one promise on each line.
  public var description: String {
    var lines = entries.map { "  \($0.text.escaped(for: .line))" }
    if omitted > 0 { lines.insert("  … \(omitted) more", at: firstCount) }
    if isGuess { lines.insert("  perhaps, as an error with the same description:", at: 0) }
    return lines.joined(separator: "\n")
  }

  /// The way as a JSON object for a crash reporter or a log. Its member `entries` has an object for each entry, with
  /// the members of ``Entry`` that are known. Its member `omitted` is a number, and `isGuess` is a Boolean.
  public var json: String {
    "{\"entries\":[\(entries.map(\.json).joined(separator: ","))],\"omitted\":\(omitted),\"isGuess\":\(isGuess)}"
  }
}

extension PromiseTrail.Entry {
  fileprivate var text: String {
    let head =
      switch kind {
      case .promise: operation.map { "\($0) made" } ?? "made"
      case .step: operation ?? "step"
      case .adoption: "adopted by \(operation ?? (context == nil && addresses.isEmpty ? "the promise made" : "a step"))"
      }
    let named = name.map { " named \"\($0)\"" } ?? ""
    let place = " at \(place ?? calls.first ?? "an unknown place")"
    return "\(head)\(named)\(place)\(context.map { " on \($0)" } ?? "")\(detail.map { ", \($0)" } ?? "")"
      + (isRejectedHere ? ", rejected here" : "")
  }

  fileprivate var json: String {
    let texts: [(String, String?)] = [
      ("kind", kind.rawValue), ("operation", operation), ("place", place), ("name", name), ("context", context),
      ("detail", detail),
    ]
    let members = texts.compactMap { key, text in text.map { "\"\(key)\":\"\($0.escaped(for: .json))\"" } }
    let calls = calls.map { "\"\($0.escaped(for: .json))\"" }.joined(separator: ",")
    let others = ["\"calls\":[\(calls)]", "\"isRejectedHere\":\(isRejectedHere)"]
    return "{\((members + others).joined(separator: ","))}"
  }
}
