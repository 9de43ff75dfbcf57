extension AtomicValue {
  static var mask: UInt64 { .max >> UInt64(64 - 8 * MemoryLayout<Self>.size) }
}

/// As in a normal build; each operation is a point where another thread may go on.
@safe
struct Atomic<Value: AtomicValue>: ~Copyable, @unchecked Sendable {
  // Unmanaged: the explorer keeps the cell as long as a thread can reach it, even when this is destroyed.
  private let unmanaged: Unmanaged<Cell>

  var cell: Cell { unsafe unmanaged.takeUnretainedValue() }

  init(_ value: Value, file: StaticString = #fileID, line: UInt = #line) {
    unsafe unmanaged = .passRetained(Cell(value.bits, Site(file: file, line: line)))
  }

  deinit {
    guard let explorer = Explorer.current else { return unsafe unmanaged.release() }
    explorer.didEnd(cell)
  }

  func load(
    ordering: Access.Order, file: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Value {
    Value(bits: perform(Access(.load, ordering, at: Site(file: file, line: line, function: function)), on: cell).old)
  }

  func store(_ value: Value, ordering: Access.Order, file: StaticString = #fileID, line: UInt = #line) {
    _ = perform(Access(.store, operand: value.bits, ordering, at: Site(file: file, line: line)), on: cell)
  }

  func exchange(
    _ value: Value, ordering: Access.Order, file: StaticString = #fileID, line: UInt = #line
  ) -> Value {
    change(.exchange, value, ordering, file, line).oldValue
  }

  func compareExchange(
    expected: Value, desired: Value, ordering: Access.Order, file: StaticString = #fileID, line: UInt = #line
  ) -> (exchanged: Bool, original: Value) {
    let failing: Access.Order =
      switch ordering {
      case .releasing: .relaxed
      case .acquiringAndReleasing: .acquiring
      default: ordering
      }
    return exchange(.compareExchange, expected, desired, ordering, failing, file, line)
  }

  func compareExchange(
    expected: Value, desired: Value, successOrdering: Access.Order, failureOrdering: Access.Order,
    file: StaticString = #fileID, line: UInt = #line
  ) -> (exchanged: Bool, original: Value) {
    exchange(.compareExchange, expected, desired, successOrdering, failureOrdering, file, line)
  }

  func weakCompareExchange(
    expected: Value, desired: Value, successOrdering: Access.Order, failureOrdering: Access.Order,
    file: StaticString = #fileID, line: UInt = #line
  ) -> (exchanged: Bool, original: Value) {
    exchange(.weakCompareExchange, expected, desired, successOrdering, failureOrdering, file, line)
  }

  private func exchange(
    _ kind: Access.Kind, _ expected: Value, _ desired: Value, _ order: Access.Order, _ failing: Access.Order,
    _ file: StaticString, _ line: UInt
  ) -> (exchanged: Bool, original: Value) {
    let access = Access(
      kind, operand: desired.bits, expected: expected.bits, order, failing: failing, at: Site(file: file, line: line))
    let effect = perform(access, on: cell)
    return (effect.isDone, Value(bits: effect.old))
  }

  @discardableResult
  func add(
    _ value: Value, ordering: Access.Order, file: StaticString = #fileID, line: UInt = #line
  ) -> (oldValue: Value, newValue: Value) {
    change(.add, value, ordering, file, line)
  }

  @discardableResult
  func subtract(
    _ value: Value, ordering: Access.Order, file: StaticString = #fileID, line: UInt = #line
  ) -> (oldValue: Value, newValue: Value) {
    change(.subtract, value, ordering, file, line)
  }

  @discardableResult
  func wrappingAdd(
    _ value: Value, ordering: Access.Order, file: StaticString = #fileID, line: UInt = #line
  ) -> (oldValue: Value, newValue: Value) {
    change(.add, value, ordering, file, line)
  }

  @discardableResult
  func wrappingSubtract(
    _ value: Value, ordering: Access.Order, file: StaticString = #fileID, line: UInt = #line
  ) -> (oldValue: Value, newValue: Value) {
    change(.subtract, value, ordering, file, line)
  }

  @discardableResult
  func bitwiseOr(
    _ value: Value, ordering: Access.Order, file: StaticString = #fileID, line: UInt = #line
  ) -> (oldValue: Value, newValue: Value) {
    change(.or, value, ordering, file, line)
  }

  @discardableResult
  func bitwiseAnd(
    _ value: Value, ordering: Access.Order, file: StaticString = #fileID, line: UInt = #line
  ) -> (oldValue: Value, newValue: Value) {
    change(.and, value, ordering, file, line)
  }

  private func change(
    _ kind: Access.Kind, _ value: Value, _ order: Access.Order, _ file: StaticString, _ line: UInt
  ) -> (oldValue: Value, newValue: Value) {
    let access = Access(
      kind, operand: value.bits, mask: Value.mask, order, at: Site(file: file, line: line))
    let effect = perform(access, on: cell)
    return (Value(bits: effect.old), Value(bits: effect.new))
  }
}
