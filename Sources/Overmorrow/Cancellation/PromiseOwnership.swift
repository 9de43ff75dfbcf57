/// Keeps a chain going: when the last copy of this goes, the end of the chain is cancelled.
///
/// Made by ``Promise/owned()``.
public struct PromiseOwnership: Sendable {
  private let end: End

  init(_ core: WeakCore) { end = End(core: core) }

  /// Ends the chain now, as when the last copy goes.
  public func requestCancel() { end.core.endChain() }

  private final class End: Sendable {
    let core: WeakCore

    init(core: WeakCore) { self.core = core }

    deinit { core.endChain() }
  }
}

extension PromiseOwnership: Hashable {
  /// Whether both are copies of one handle.
  public static func == (left: PromiseOwnership, right: PromiseOwnership) -> Bool { left.end === right.end }

  /// Hashes the identity of the handle.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(end)) }
}

extension Promise {
  /// Keeps a chain, of which this is the end, going only as long as somebody holds the handle returned.
  ///
  /// ```swift
  /// @MainActor
  /// final class Search {
  ///   private var running: PromiseOwnership?
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
  /// Here another search, or the end of the object, ends what is being searched. **Store the handle**: a chain whose handle
  /// is dropped ends at once. A chain whose callback keeps the object that holds the handle, as above, keeps both until it
  /// has resolved; use ``bound(to:defaultContext:)`` where the end of the object is to end the chain.
  ///
  /// - Cancels: when the last copy of the handle goes. A step that still waits is cancelled at once, and its callback does
  ///   not run; any other promise is asked to cancel. Either way it withdraws its vote upstream, where other observers go
  ///   on; steps before it that nobody else holds or observes end with it, and do not run either. A callback that has
  ///   started finishes.
  /// - Returns: The handle. It does not keep the promise, its result or its callbacks.
  public func owned() -> PromiseOwnership { PromiseOwnership(WeakCore(handle.core)) }
}
