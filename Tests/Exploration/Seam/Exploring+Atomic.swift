extension AtomicValue {
  static var mask: UInt64 { .max >> UInt64(64 - 8 * MemoryLayout<Self>.size) }
}

/// An atomic with the interface of a normal build. At each operation, the explorer may switch to another thread.
@safe
struct Atomic<Value: AtomicValue>: ~Copyable, @unchecked Sendable {
  // Unmanaged, because the explorer retains the cell as long as a thread can reach it, even after this value is
  // destroyed.
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
    Change(kind: .exchange, cell: cell)(value, ordering: ordering, file: file, line: line).oldValue
  }

  // These properties are called like the functions of a normal build.
  var compareExchange: Exchange { Exchange(kind: .compareExchange, cell: cell) }
  var weakCompareExchange: Exchange { Exchange(kind: .weakCompareExchange, cell: cell) }
  var add: Change { Change(kind: .add, cell: cell) }
  var subtract: Change { Change(kind: .subtract, cell: cell) }
  var wrappingAdd: Change { Change(kind: .add, cell: cell) }
  var wrappingSubtract: Change { Change(kind: .subtract, cell: cell) }
  var bitwiseOr: Change { Change(kind: .or, cell: cell) }
  var bitwiseAnd: Change { Change(kind: .and, cell: cell) }

  /// A change that depends on the current value.
  struct Exchange {
    let kind: Access.Kind
    let cell: Cell

    func callAsFunction(
      expected: Value, desired: Value, ordering: Access.Order, file: StaticString = #fileID, line: UInt = #line
    ) -> (exchanged: Bool, original: Value) {
      let failing: Access.Order =
        switch ordering {
        case .releasing: .relaxed
        case .acquiringAndReleasing: .acquiring
        default: ordering
        }
      return self(
        expected: expected, desired: desired, successOrdering: ordering, failureOrdering: failing, file: file,
        line: line)
    }

    func callAsFunction(
      expected: Value, desired: Value, successOrdering: Access.Order, failureOrdering: Access.Order,
      file: StaticString = #fileID, line: UInt = #line
    ) -> (exchanged: Bool, original: Value) {
      let effect = perform(
        Access(
          kind, operand: desired.bits, expected: expected.bits, successOrdering, failing: failureOrdering,
          at: Site(file: file, line: line)), on: cell)
      return (effect.isDone, Value(bits: effect.old))
    }
  }

  /// An unconditional change.
  struct Change {
    let kind: Access.Kind
    let cell: Cell

    @discardableResult
    func callAsFunction(
      _ value: Value, ordering: Access.Order, file: StaticString = #fileID, line: UInt = #line
    ) -> (oldValue: Value, newValue: Value) {
      let access = Access(kind, operand: value.bits, mask: Value.mask, ordering, at: Site(file: file, line: line))
      let effect = perform(access, on: cell)
      return (Value(bits: effect.old), Value(bits: effect.new))
    }
  }
}
