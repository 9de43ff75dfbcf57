/// What an explorer is told, and what it decides. There is one at most, and it runs all its threads on one thread of
/// the system, so nothing here is ever used by two at a time.
package class Explorer {
  package init() {}

  /// An atomic, or a lock, has been made.
  package func didMake(_ cell: Cell) {}
  /// It has been destroyed; if it is a count, it may still be read.
  package func didEnd(_ cell: Cell) {}
  /// A field has been made, with a count that is the explorer's.
  package func didMake(_ field: PlainField) {}
  /// A thread wants to do something to it, and is let do it when its turn comes.
  package func perform(_ access: Access, on cell: Cell) -> Access.Effect { access.applied(to: cell) }
  /// A field that is no atomic is read or changed.
  package func touch(_ field: PlainField, _ use: PlainUse) {}
  /// An object was made whose memory must not be reused while a thread may read it.
  package func keep(_ object: AnyObject) {}
  /// Work has been handed to a global queue.
  package func enqueue(_ work: @escaping @Sendable () -> Void) {}

  // Safe: set before there is anything to explore, by the one thread that there is.
  @safe package nonisolated(unsafe) static var current: Explorer?
  /// Which change of the text counts, in a build that `Scripts/mutants` has made.
  @safe package nonisolated(unsafe) static var mutant = 0
  /// Whether the change that counts has been come by.
  @safe package nonisolated(unsafe) static var isMutationReached = false

  /// Whether a change of the text counts, asked where it has been made.
  package static func isMutant(_ number: Int) -> Bool {
    if number == mutant { isMutationReached = true }
    return number == mutant
  }
}

/// An atomic, or a lock, as an explorer sees it.
package final class Cell {
  /// What it holds, as long as no explorer keeps that elsewhere.
  package var value: UInt64
  /// What is made of it in which execution; the explorer's.
  package var execution = 0
  package var index = 0
  package var isEnded = false
  /// What it is called, and what it belongs to.
  package var name: StaticString?
  package var core: Int?
  package let site: Site

  init(_ value: UInt64, _ site: Site) {
    self.value = value
    self.site = site
    Explorer.current?.didMake(self)
  }
}

/// A place in the source.
package struct Site: Sendable {
  package let file: StaticString
  package let line: UInt
  /// In a `deinit`, which comes after all that was done with the object, by its reference count.
  package let isEnd: Bool

  package init(file: StaticString, line: UInt, function: StaticString = "") {
    self.file = file
    self.line = line
    isEnd = function.utf8CodeUnitCount == 6 && "\(function)" == "deinit"
  }
}

/// What a thread does to a cell.
package struct Access {
  package enum Kind: UInt8 {
    case load, store, exchange, compareExchange, weakCompareExchange, add, subtract, or, and
    /// Takes a lock, or one of several permits, as soon as there is one.
    case take
    /// Gives it back.
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
  /// The bits of the type.
  package var mask: UInt64 = .max
  package var order: Order
  /// Of a compare-exchange that does not succeed.
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

  /// What becomes of a value.
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

  /// Without an explorer.
  func applied(to cell: Cell) -> Effect {
    let effect = effect(on: cell.value)
    cell.value = effect.new
    return effect
  }
}

func perform(_ access: Access, on cell: Cell) -> Access.Effect {
  Explorer.current?.perform(access, on: cell) ?? access.applied(to: cell)
}
