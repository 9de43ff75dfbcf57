internal import OvermorrowDiagnostics
internal import OvermorrowEngine

/// A weak reference to a promise, through which the promise can be asked to cancel. The reference retains neither the
/// promise nor its result nor its callbacks.
///
/// The release of a cancellable from ``Promise/cancellable`` has no effect. The release of the last copy of a
/// cancellable from ``Promise/owned()`` ends the chain.
public struct PromiseCancellable: Sendable {
  private let storage: Storage

  init(_ core: WeakCore, isOwner: Bool) { storage = Storage(core: core, isOwner: isOwner) }

  /// Asks the promise to cancel or, if the cancellable owns a chain, ends the chain. Does nothing if the promise has
  /// resolved or no longer exists.
  public func requestCancel() { storage.requestCancel() }

  /// Whether the promise has resolved or no longer exists.
  @_spi(Adapters)
  public var isSpent: Bool { storage.core.isSpent }

  /// Whether the release of the last copy ends the chain.
  var isOwner: Bool { storage.isOwner }

  /// A description of the promise while it is unresolved.
  var situation: String? {
    var situation: String?
    storage.core.withCore { core in if !core.state.isResolved { situation = core.situation } }
    return situation
  }

  private final class Storage: Sendable {
    let core: WeakCore
    let isOwner: Bool

    init(core: WeakCore, isOwner: Bool) {
      self.core = core
      self.isOwner = isOwner
    }

    func requestCancel() { if isOwner { core.cancelChain() } else { core.requestCancel() } }

    deinit { if isOwner { core.cancelChain() } }
  }
}

extension PromiseCancellable: Hashable {
  /// Returns whether two cancellables are copies of one cancellable.
  public static func == (left: PromiseCancellable, right: PromiseCancellable) -> Bool { left.storage === right.storage }

  /// Hashes the identity of the cancellable.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(storage)) }
}

extension Promise {
  /// Returns a cancellable that owns the chain up to this promise: the chain continues only while a copy of the
  /// cancellable exists.
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
  /// In this example, a new search ends the current search. **Store the cancellable**: if it is not stored, the chain
  /// ends at once. The callback above captures `self`, so the chain retains the object, and with it the cancellable,
  /// until the chain has resolved. Use ``bound(to:token:defaultContext:)`` to end a chain together with an object.
  ///
  /// - Cancels: when the last copy of the cancellable is released. If this promise is a step that still waits, it is
  ///   cancelled at once and its callback does not run. Any other promise is asked to cancel. In both cases, the
  ///   promise withdraws its vote, and other observers upstream are not affected. Earlier steps of the chain that have
  ///   neither a handle nor another observer also end, and their callbacks do not run. A callback that has started runs
  ///   to its end.
  /// - Returns: The cancellable. It does not retain the promise, its result or its callbacks.
  public func owned() -> PromiseCancellable { PromiseCancellable(WeakCore(handle.core), isOwner: true) }
}
