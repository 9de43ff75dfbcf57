/// The promises that are pending at one moment, and what each of them waits for.
///
/// ```
/// 3 promises are pending.
/// #7 a promise made at Weather/Loader.swift:31, pending for 12.4 s, waits for its resolver
///   #8 a step on utility, pending for 12.4 s
///     #9 a step on main, pending for 12.4 s
/// ```
///
/// The description is a tree. Its roots are the promises that wait for no other promise, each with what it waits for.
/// Below each promise are the promises that wait for it.
public struct PendingPromises: Sendable {
  /// One pending promise.
  public struct Entry: Sendable, Identifiable {
    /// The number of the promise, which is unique in the program. A promise that is made later has a larger number.
    public let id: Int
    /// The place where the promise, or the first promise of its chain, was made, such as "Weather/Loader.swift:31";
    /// `nil` if the place is unknown.
    public let origin: String?
    /// Whether an operator has made the promise.
    public let isStep: Bool
    /// The context of the step's callback, or of the body if it has not begun: the name of the context, the label of
    /// its queue, or the type of its executor or actor. `nil` if there is neither.
    public let context: String?
    /// The time since the promise was made.
    public let age: Duration
    /// The number of children that still have a vote on the promise.
    public let observers: Int
    /// The numbers of the listed promises that this one waits for.
    public let upstream: [Int]
    /// A description of what the promise waits for.
    public let cause: String
  }

  /// The largest number of promises in a list.
  public static var limit: Int { 10_000 }

  /// The pending promises, the oldest first, at most ``limit`` of them.
  public let entries: [Entry]
  /// The number of pending promises that are not listed.
  public let omitted: Int
}

extension PromiseDiagnostics {
  /// Lists the promises that are pending now, with where they were made, their age, and what they wait for.
  ///
  /// The list contains the promises that your code made while the level was not ``Level/off``, as in debug builds;
  /// those that were made inside ``checking(leaks:_:)``; and all promises that are derived from them. The steps that an
  /// operator makes for itself are left out.
  ///
  /// The list is a snapshot: while it is taken, no watched promise is made or freed. It changes no promise.
  ///
  /// - Complexity: Linear in the number of watched promises that exist. At most ``PendingPromises/limit`` of them are
  ///   listed.
  public static func pending() -> PendingPromises { PendingPromises.snapshot() }
}
