/// A lock. The explorer decides which thread gets it.
@safe
@usableFromInline
struct Lock: ~Copyable, @unchecked Sendable {
  private let permit: Permits

  @usableFromInline
  init(file: StaticString = #fileID, line: UInt = #line) { permit = Permits(1, file: file, line: line) }

  @usableFromInline func take() { permit.take() }
  func tryTake() -> Bool { permit.tryTake() }
  @usableFromInline func give() { permit.give() }
}

/// A lock-protected value. The explorer decides which thread gets the lock.
@safe
package struct Guarded<Value>: ~Copyable, @unchecked Sendable {
  private let lock: Lock
  private let content: UnsafeMutablePointer<Value>

  package init(_ value: consuming sending Value, file: StaticString = #fileID, line: UInt = #line) {
    lock = Lock(file: file, line: line)
    unsafe content = .allocate(capacity: 1)
    unsafe content.initialize(to: value)
  }

  deinit {
    unsafe content.deinitialize(count: 1)
    unsafe content.deallocate()
  }

  package borrowing func withLock<Result: ~Copyable, E: Error>(
    _ body: (inout sending Value) throws(E) -> sending Result
  ) throws(E) -> sending Result {
    lock.take()
    defer { lock.give() }
    // Unsafe: the lock is held.
    nonisolated(unsafe) let content = unsafe content
    return try unsafe body(&content.pointee)
  }
}

/// A counting semaphore.
@safe
package struct Permits: ~Copyable, @unchecked Sendable {
  private let unmanaged: Unmanaged<Cell>
  private let site: Site

  private var cell: Cell { unsafe unmanaged.takeUnretainedValue() }

  package init(_ number: Int, file: StaticString = #fileID, line: UInt = #line) {
    site = Site(file: file, line: line)
    unsafe unmanaged = .passRetained(Cell(UInt64(number), site))
  }

  deinit {
    guard let explorer = Explorer.current else { return unsafe unmanaged.release() }
    explorer.didEnd(cell)
  }

  package func take() { _ = perform(Access(.take, operand: 1, .acquiring, at: site), on: cell) }
  package func give() { _ = perform(Access(.give, operand: 1, .releasing, at: site), on: cell) }

  /// Takes a permit if one is available.
  package func tryTake() -> Bool {
    let old = perform(Access(.load, .sequentiallyConsistent, at: site), on: cell).old
    guard old > 0 else { return false }
    let access = Access(
      .compareExchange, operand: old - 1, expected: old, .acquiring, failing: .relaxed, at: site)
    return perform(access, on: cell).isDone
  }
}
