/// The promises that are pending at one moment, and what each of them waits for.
///
/// ```
/// 3 promises are pending.
/// #7 a promise made at Weather/Loader.swift:31, pending for 12.4 s, waits for its resolver
///   #8 a step on utility at Loader.swift:33, pending for 12.4 s
///     #9 a step on main at Loader.swift:34, pending for 12.4 s
/// ```
///
/// The description is a tree. Its roots are the promises that wait for no other listed promise. The line of a root says
/// what the root waits for. Below each promise are the promises that wait for it.
public struct PendingPromises: Sendable {
  /// One pending promise, or one call of an async function of the library that has not ended.
  public struct Entry: Sendable, Identifiable {
    /// The number of the promise. The number is unique in the program. A promise that is made later has a larger
    /// number.
    public let id: Int
    /// The place where the promise, or the first promise of its chain, was made, such as "Weather/Loader.swift:31";
    /// `nil` if the place is unknown.
    public let origin: String?
    /// The name from ``Promise/named(_:)``. A promise without its own name has the name of the promise from which it is
    /// derived. `nil` if there is no name.
    public let name: String?
    /// Whether an operator has made the promise.
    public let isStep: Bool
    /// The context of the step's callback, or of the promise's body if the body has not begun. The text is the name of
    /// the context, the label of its queue, or the type of its executor or actor. `nil` if there is no such callback or
    /// body.
    public let context: String?
    /// The time since the promise was made.
    public let age: Duration
    /// The number of children that still have a vote on the promise.
    public let observers: Int
    /// The numbers of the listed promises that this promise waits for.
    public internal(set) var upstream: [Int]
    /// A description of what the promise waits for.
    public let cause: String
    /// The place of the call that made the promise. For a step, this is the call of the operator, such as
    /// "Loader.swift:33". For other promises, this is the same place as ``origin``. `nil` if the place is unknown. The
    /// lines of steps are known only in debug builds on Linux. In other debug builds, the place of a step is the
    /// address of the call, such as "App+0x12f4", as in ``PromiseTrail/Entry/calls``.
    public internal(set) var place: String?
    /// The attempt of a retry, such as "attempt 3", or the key of a load of a cache or of a call of a batch, such as
    /// "key \"home\""; `nil` for other promises. The text of a key is shortened to 100 characters. For a retry, this is
    /// the last attempt that has begun.
    public internal(set) var detail: String?
    /// The name of an async function of the library, such as "withTimeout", if the entry is not a promise but a call of
    /// this function; `nil` for a promise.
    public internal(set) var function: String?
  }

  /// The largest number of entries in a list.
  public static var limit: Int { 10_000 }

  /// The oldest pending promises and calls, at most ``limit``. The oldest one is the first entry.
  public let entries: [Entry]
  /// The number of pending promises and calls that are not listed.
  public let omitted: Int
  /// Whether calls were left out because finding them takes long.
  var lacksCalls = false
}

extension PromiseDiagnostics {
  /// Returns a list of the promises that are pending now, with their origins, their ages and what they wait for.
  ///
  /// The list contains the promises that your code made while the level was not ``Level/off``. It also contains the
  /// promises that were made inside ``checking(leaks:_:)``, and all promises that are derived from these promises.
  /// Steps that an operator makes for its own use are left out. By default, the level is ``Level/off`` only in release
  /// builds. The list also contains the calls of async functions of the library that have not ended, such as a call of
  /// `withTimeout`, and the tasks that sleep on a `TestClock`.
  ///
  /// The list is a snapshot. While the snapshot is taken, no watched promise is made or freed. The snapshot changes no
  /// promise.
  ///
  /// - Complexity: Linear in the number of watched promises that exist. At most ``PendingPromises/limit`` promises are
  ///   listed.
  public static func pending() -> PendingPromises { PendingPromises.snapshot() }
}
