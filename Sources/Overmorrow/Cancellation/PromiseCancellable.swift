/// A handle that asks a promise to cancel, and keeps neither it nor its result nor its callbacks alive.
///
/// One that ``Promise/cancellable`` returns does nothing by itself. One that ``Promise/owned()`` returns ends the
/// chain, too, when its last copy goes.
public struct PromiseCancellable: Sendable {
  private let end: End

  init(_ core: WeakCore, isOwner: Bool) { end = End(core: core, isOwner: isOwner) }

  /// Asks for the promise to be cancelled, and ends a chain that it owns; does nothing once the promise has resolved or
  /// is gone.
  public func requestCancel() { end.requestCancel() }

  /// Whether the promise has resolved or is gone.
  package var isSpent: Bool { end.core.isSpent }

  private final class End: Sendable {
    let core: WeakCore
    private let isOwner: Bool

    init(core: WeakCore, isOwner: Bool) {
      self.core = core
      self.isOwner = isOwner
    }

    func requestCancel() { if isOwner { core.endChain() } else { core.requestCancel() } }

    deinit { if isOwner { core.endChain() } }
  }
}

extension PromiseCancellable: Hashable {
  /// Whether both are copies of one handle.
  public static func == (left: PromiseCancellable, right: PromiseCancellable) -> Bool { left.end === right.end }

  /// Hashes the identity of the handle.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(end)) }
}

extension Promise {
  /// Returns a handle that owns the chain that ends here: the chain goes on only while the handle is held.
  ///
  /// ```swift
  /// @MainActor
  /// final class Search {
  ///   private var running: PromiseCancellable?
  ///
  ///   func search(_ text: String) {
  ///     running = fetchHits(text)
  ///       .map(on: .utility) { $0.sorted() }
  ///       .then { self.show($0) }
  ///       .owned()
  ///   }
  /// }
  /// ```
  ///
  /// Here another search, or the end of the object, ends what is being searched. **Store the handle**: a chain whose
  /// handle is dropped ends at once. A chain whose callback keeps the object that holds the handle, as above, keeps
  /// both until it has resolved; use ``bound(to:defaultContext:)`` where the end of the object is to end the chain.
  ///
  /// - Cancels: when the last copy of the handle goes. A step that still waits is cancelled at once, and its callback
  ///   does not run; any other promise is asked to cancel. Either way it withdraws its vote upstream, where other
  ///   observers go on; steps before it that are not held or observed elsewhere end with it, and do not run either. A
  ///   callback that has started finishes.
  /// - Returns: The handle. It does not keep the promise, its result or its callbacks.
  public func owned() -> PromiseCancellable { PromiseCancellable(WeakCore(handle.core), isOwner: true) }
}
