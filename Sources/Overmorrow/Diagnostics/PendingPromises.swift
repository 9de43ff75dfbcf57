/// The promises that are pending at one moment, and what each of them waits for.
///
/// ```
/// 3 promises are pending.
/// #7 a promise made at Weather/Loader.swift:31, for 12.4 s, waits for its resolver
///   #8 a step on utility, for 12.4 s
///     #9 a step on main, for 12.4 s
/// ```
///
/// The description is a tree. Its roots are the promises that wait for no other promise, each with what it waits for;
/// below each promise are those that wait for it.
public struct PendingPromises: Sendable {
  /// One pending promise.
  public struct Entry: Sendable, Identifiable {
    /// The number of the promise, which no other promise of the program has; a later one has a larger number.
    public let id: Int
    /// Where the promise was made, or the first one of its chain: as in "Weather/Loader.swift:31"; `nil` if that is not
    /// known.
    public let origin: String?
    /// Whether an operator has made the promise from another one.
    public let isStep: Bool
    /// Where the callback of the step runs, or the body that has not begun: the name of the context, the label of its
    /// queue, or the type of its executor or actor; `nil` if there is none.
    public let context: String?
    /// How long ago the promise was made.
    public let age: Duration
    /// How many of the promises made from this one still want its result.
    public let observers: Int
    /// The numbers of the listed promises that this one waits for.
    public let upstream: [Int]
    /// What the promise waits for, in words.
    public let cause: String
  }

  /// How many promises are listed at most.
  public static var limit: Int { 10_000 }

  /// The pending promises, the oldest first, and no more than ``limit``.
  public let entries: [Entry]
  /// How many more are pending.
  public let omitted: Int
}

extension PromiseDiagnostics {
  /// The promises that are pending now, with where they were made, for how long, and what they wait for.
  ///
  /// Listed are the promises that were made while the level was not ``Level/off``, as in debug builds, with a place in
  /// your code; those made inside of ``checking(leaks:_:)``; and all that is derived from them. Steps that an operator
  /// makes for itself are left out.
  ///
  /// It shows one moment: while the list is made, no promise is made or freed. Nothing else is changed.
  ///
  /// - Complexity: Linear in the number of watched promises that exist; no more than ``PendingPromises/limit`` of them
  ///   are listed.
  public static func pending() -> PendingPromises { PendingPromises.taken() }
}
