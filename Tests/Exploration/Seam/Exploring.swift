/// The events that an explorer receives, and the decisions that it makes. There is at most one explorer. It runs all
/// its threads on one system thread, so nothing here is ever used concurrently.
package class Explorer {
  package init() {}

  /// Called when an atomic or a lock has been created.
  package func didMake(_ cell: Cell) {}
  /// Called when an atomic or a lock has been destroyed. A reference count may still be read.
  package func didEnd(_ cell: Cell) {}
  /// Called when a field has been created. The explorer owns a reference to it.
  package func didMake(_ field: PlainField) {}
  /// Performs an access of a thread when the thread is scheduled.
  package func perform(_ access: Access, on cell: Cell) -> Access.Effect { access.applied(to: cell) }
  /// Called when a non-atomic field is read or changed.
  package func touch(_ field: PlainField, _ use: PlainUse) {}
  /// Called when an object has been created whose memory must not be reused while a thread may read it.
  package func keep(_ object: AnyObject) {}
  /// Called when work has been submitted to a global queue.
  package func enqueue(_ work: @escaping @Sendable () -> Void) {}
  /// The number of the thread that runs.
  package var thread: Int { 0 }

  // Safe because it is set by the only thread, before anything is explored.
  @safe package nonisolated(unsafe) static var current: Explorer?
  /// The active mutation in a build made by `Scripts/mutants`.
  @safe package nonisolated(unsafe) static var mutant = 0
  /// Whether the active mutation has been executed.
  @safe package nonisolated(unsafe) static var isMutationReached = false

  /// Returns whether a mutation is active. The mutated code calls this.
  package static func isMutant(_ number: Int) -> Bool {
    if number == mutant { isMutationReached = true }
    return number == mutant
  }
}

/// An atomic or a lock, as the explorer sees it.
package final class Cell {
  /// The value, unless an explorer stores it elsewhere.
  package var value: UInt64
  /// Set by the explorer: the execution to which it belongs.
  package var execution = 0
  package var index = 0
  /// Set by the explorer: the thread that created it, and the time of that. Another thread must know of that time.
  package var maker = 0
  package var made: Int32 = 0
  package var isEnded = false
  /// The name of the word; `core` is the core that it belongs to.
  package var name: StaticString?
  package var core: Int?
  package let site: Site

  init(_ value: UInt64, _ site: Site) {
    self.value = value
    self.site = site
    Explorer.current?.didMake(self)
  }
}

/// A source location.
package struct Site: Sendable {
  package let file: StaticString
  package let line: UInt
  /// Whether this is a `deinit`, which the reference count orders after all uses of the object.
  package let isEnd: Bool

  package init(file: StaticString, line: UInt, function: StaticString = "") {
    self.file = file
    self.line = line
    isEnd = function.utf8CodeUnitCount == 6 && "\(function)" == "deinit"
  }
}

/// An access of a thread to a cell.
package struct Access {
  package enum Kind: UInt8 {
    case load, store, exchange, compareExchange, weakCompareExchange, add, subtract, or, and
    /// Takes a lock, or one of several permits, as soon as one is available.
    case take
    /// Releases the lock or the permit.
    case give
  }

  package enum Order: UInt8, CaseIterable, Comparable {
    case relaxed, acquiring, releasing, acquiringAndReleasing, sequentiallyConsistent

    package static func < (left: Order, right: Order) -> Bool { left.rawValue < right.rawValue }
    package var acquires: Bool { self != .relaxed && self != .releasing }
    package var releases: Bool { self >= .releasing }
  }

  package struct Effect {
    package let old: UInt64
    package let new: UInt64
    package let isDone: Bool
  }

  package let kind: Kind
  package var operand: UInt64 = 0
  package var expected: UInt64 = 0
  /// The valid bits of the type.
  package var mask: UInt64 = .max
  package var order: Order
  /// The memory order of a failing compare-exchange.
  package var failureOrder: Order = .relaxed
  package let site: Site

  package init(
    _ kind: Kind, operand: UInt64 = 0, expected: UInt64 = 0, mask: UInt64 = .max, _ order: Order,
    failing failureOrder: Order = .relaxed, at site: Site
  ) {
    self.kind = kind
    self.operand = operand
    self.expected = expected
    self.mask = mask
    self.order = order
    self.failureOrder = failureOrder
    self.site = site
  }

  /// Returns the effect of the access on a value.
  package func effect(on old: UInt64) -> Effect {
    switch kind {
    case .load: Effect(old: old, new: old, isDone: true)
    case .store, .exchange: Effect(old: old, new: operand, isDone: true)
    case .compareExchange, .weakCompareExchange:
      Effect(old: old, new: old == expected ? operand : old, isDone: old == expected)
    case .add, .give: Effect(old: old, new: (old &+ operand) & mask, isDone: true)
    case .subtract, .take: Effect(old: old, new: (old &- operand) & mask, isDone: true)
    case .or: Effect(old: old, new: old | operand, isDone: true)
    case .and: Effect(old: old, new: old & operand, isDone: true)
    }
  }

  /// Performs the access without an explorer.
  func applied(to cell: Cell) -> Effect {
    let effect = effect(on: cell.value)
    cell.value = effect.new
    return effect
  }
}

func perform(_ access: Access, on cell: Cell) -> Access.Effect {
  Explorer.current?.perform(access, on: cell) ?? access.applied(to: cell)
}
