internal import OvermorrowDiagnostics

/// The trail of an error: the promise where the chain begins, the steps up to the one that was rejected, and the
/// promises that took over the error afterwards.
///
/// ```
///   made at Weather/Loader.swift:31
///   map at Loader.swift:33 on utility, rejected here
///   tap at Loader.swift:35 on main
/// ```
///
/// A promise may adopt another promise, such as the promise that the closure of a `flatMap` returns. Then the trail of
/// the other promise precedes the entry of the adoption.
///
/// The places of steps are known only in debug builds on Linux. In other debug builds, and in release builds that
/// record trails, steps have ``Entry/calls``.
public struct PromiseTrail: Sendable {
  let trail: Trail

  /// One promise on the trail of the error.
  public struct Entry: Sendable, Hashable {
    let entry: Trail.Entry

    /// How the promise came to be on the trail.
    public enum Kind: String, Sendable {
      /// A promise that no operator has made.
      case promise
      /// A promise that an operator has made.
      case step
      /// A promise that has adopted the promise of the entry before it.
      case adoption
    }

    /// How the promise came to be on the trail.
    public var kind: Kind {
      switch entry.kind {
      case .promise: .promise
      case .step: .step
      case .adoption: .adoption
      }
    }
    /// The name of the operator, such as "map", or the kind of work that resolves a promise, such as "timer"; `nil` if
    /// it is unknown, or if a resolver of the program resolves the promise.
    public var operation: String? { entry.operation }
    /// The place of the call that made the promise, such as "Loader.swift:33"; `nil` if the place is unknown.
    public var place: String? { entry.place }
    /// The name from ``Promise/named(_:)``; `nil` if there is no name.
    public var name: String? { entry.name }
    /// The context of the step's callback; `nil` if there is no such callback.
    public var context: String? { entry.context }
    /// The attempt of a retry, such as "attempt 3", or the key of a load of a cache or of a call of a batch, such as
    /// "key \"home\""; `nil` for other promises. The text of a key is shortened to 100 characters. For a retry, this is
    /// the last attempt that has begun.
    public var detail: String? { entry.detail }
    /// Whether the code of this promise has made the error. `false` for promises that took over the error.
    public var isRejectedHere: Bool { entry.isRejectedHere }
    /// The calls that made the promise, the innermost call first, for a tool that finds the places of addresses. Empty
    /// if the calls were not captured, or if the promise is not a step.
    ///
    /// A call is the name of an executable file or library, and the address of the call's last byte in that file, such
    /// as "App+0x12f4". With the debug information of the file, `llvm-symbolizer --obj=App 0x12f4` prints the functions
    /// and lines of the call. On Apple's systems, the address is counted from the beginning of the file in memory.
    public var calls: [String] { entry.calls }
  }

  /// The promises on the trail. The first promise is the first entry. A long trail is shortened in its middle to 32
  /// entries.
  public var entries: [Entry] { trail.entries.map { Entry(entry: $0) } }
  /// The number of promises that are left out in the middle of the trail.
  public var omitted: Int { trail.omitted }
  /// Whether the trail may be that of another error with the same type and the same description. The description says
  /// so in its first line.
  public var isGuess: Bool { trail.isGuess }
}

extension PromiseTrail: CustomStringConvertible {
  /// The trail with one promise on each line.
  public var description: String { trail.description }

  /// The trail as a JSON object for a crash reporter or a log. Its member `entries` has an object for each entry, with
  /// the members of ``Entry`` that are known. Its member `omitted` is a number, and `isGuess` is a Boolean.
  public var json: String { trail.json }
}
