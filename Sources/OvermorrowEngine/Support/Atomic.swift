internal import COvermorrowSystem

#if !OVERMORROW_PLAIN
  internal import Builtin
#endif

// An exploring build replaces this file: `Tests/Exploration/Seam`.
/// The memory orders of a load, with their numbers in C.
enum LoadOrdering: Int32 {
  case relaxed = 0
  case acquiring = 2
  case sequentiallyConsistent = 5
}

enum StoreOrdering: Int32 {
  case relaxed = 0
  case releasing = 3
  case sequentiallyConsistent = 5
}

/// The memory orders of an operation that loads and stores.
enum UpdateOrdering: Int32 {
  case relaxed = 0
  case acquiring = 2
  case releasing = 3
  case acquiringAndReleasing = 4
  case sequentiallyConsistent = 5

  /// The order of the load when nothing is stored.
  @_transparent
  fileprivate var failing: LoadOrdering {
    switch self {
    case .relaxed, .releasing: .relaxed
    case .acquiring, .acquiringAndReleasing: .acquiring
    case .sequentiallyConsistent: .sequentiallyConsistent
    }
  }
}

/// A word that threads share, stored in place.
///
/// It has the interface of the standard library's `Atomic`, which older systems of Apple lack.
#if OVERMORROW_PLAIN
  @safe
  struct Atomic<Value: AtomicValue>: ~Copyable, @unchecked Sendable {
    private let address: UnsafeMutablePointer<Value>

    init(_ value: Value) {
      unsafe address = .allocate(capacity: 1)
      unsafe address.initialize(to: value)
    }

    deinit { unsafe address.deallocate() }

    func load(ordering: LoadOrdering) -> Value {
      Value(bits: unsafe overmorrow_atomic_load(address, size, ordering.rawValue))
    }
  }
#else
  @safe
  @_rawLayout(like: Value)
  struct Atomic<Value: AtomicValue>: ~Copyable, @unchecked Sendable {
    @_transparent
    private var address: UnsafeMutablePointer<Value> {
      unsafe UnsafeMutablePointer(Builtin.addressOfRawLayout(self))
    }

    // Inlined, so that a static atomic is a constant of the program, without lazy initialisation.
    @inline(__always)
    init(_ value: Value) { unsafe address.initialize(to: value) }

    @_transparent
    func load(ordering: LoadOrdering) -> Value {
      let word = Builtin.addressOfRawLayout(self)
      let bits: UInt64 =
        switch (size, ordering) {
        case (1, .relaxed): UInt64(truncatingIfNeeded: UInt8(Builtin.atomicload_monotonic_Int8(word)))
        case (1, .acquiring): UInt64(truncatingIfNeeded: UInt8(Builtin.atomicload_acquire_Int8(word)))
        case (1, .sequentiallyConsistent): UInt64(truncatingIfNeeded: UInt8(Builtin.atomicload_seqcst_Int8(word)))
        case (4, .relaxed): UInt64(truncatingIfNeeded: UInt32(Builtin.atomicload_monotonic_Int32(word)))
        case (4, .acquiring): UInt64(truncatingIfNeeded: UInt32(Builtin.atomicload_acquire_Int32(word)))
        case (4, .sequentiallyConsistent): UInt64(truncatingIfNeeded: UInt32(Builtin.atomicload_seqcst_Int32(word)))
        case (_, .relaxed): UInt64(truncatingIfNeeded: UInt(Builtin.atomicload_monotonic_Word(word)))
        case (_, .acquiring): UInt64(truncatingIfNeeded: UInt(Builtin.atomicload_acquire_Word(word)))
        case (_, .sequentiallyConsistent): UInt64(truncatingIfNeeded: UInt(Builtin.atomicload_seqcst_Word(word)))
        }
      return Value(bits: bits)
    }
  }
#endif

// Sendable, and unsafe, all that follows: the word does not move while it is borrowed; the size is that of the value;
// and the functions of C are atomic.
extension Atomic {
  @_transparent
  private var size: Int { MemoryLayout<Value>.size }

  @_transparent
  func store(_ value: Value, ordering: StoreOrdering) {
    unsafe overmorrow_atomic_store(address, size, value.bits, ordering.rawValue)
  }

  @_transparent
  func exchange(_ value: Value, ordering: UpdateOrdering) -> Value {
    Value(bits: unsafe overmorrow_atomic_exchange(address, size, value.bits, ordering.rawValue))
  }

  @_transparent
  func compareExchange(
    expected: Value, desired: Value, ordering: UpdateOrdering
  ) -> (exchanged: Bool, original: Value) {
    exchange(expected, desired, isWeak: false, ordering, ordering.failing)
  }

  @_transparent
  func compareExchange(
    expected: Value, desired: Value, successOrdering: UpdateOrdering, failureOrdering: LoadOrdering
  ) -> (exchanged: Bool, original: Value) {
    exchange(expected, desired, isWeak: false, successOrdering, failureOrdering)
  }

  /// Performs a compare-exchange that may fail even if the value is the expected one.
  @_transparent
  func weakCompareExchange(
    expected: Value, desired: Value, successOrdering: UpdateOrdering, failureOrdering: LoadOrdering
  ) -> (exchanged: Bool, original: Value) {
    exchange(expected, desired, isWeak: true, successOrdering, failureOrdering)
  }

  @_transparent
  private func exchange(
    _ expected: Value, _ desired: Value, isWeak: Bool, _ success: UpdateOrdering, _ failure: LoadOrdering
  ) -> (exchanged: Bool, original: Value) {
    let result = unsafe overmorrow_atomic_compare_exchange(
      address, size, expected.bits, desired.bits, isWeak, success.rawValue, failure.rawValue)
    return (result.exchanged, Value(bits: result.original))
  }
}

extension Atomic where Value: FixedWidthInteger {
  @discardableResult
  @_transparent
  func wrappingAdd(_ value: Value, ordering: UpdateOrdering) -> (oldValue: Value, newValue: Value) {
    let old = Value(bits: unsafe overmorrow_atomic_add(address, size, value.bits, ordering.rawValue))
    return (old, old &+ value)
  }

  @discardableResult
  @_transparent
  func wrappingSubtract(_ value: Value, ordering: UpdateOrdering) -> (oldValue: Value, newValue: Value) {
    let old = wrappingAdd(0 &- value, ordering: ordering).oldValue
    return (old, old &- value)
  }

  /// Adds a value. Stops the program if the sum overflows.
  @discardableResult
  @_transparent
  func add(_ value: Value, ordering: UpdateOrdering) -> (oldValue: Value, newValue: Value) {
    let old = wrappingAdd(value, ordering: ordering).oldValue
    return (old, old + value)
  }

  /// Subtracts a value. Stops the program if the difference overflows.
  @discardableResult
  @_transparent
  func subtract(_ value: Value, ordering: UpdateOrdering) -> (oldValue: Value, newValue: Value) {
    let old = wrappingSubtract(value, ordering: ordering).oldValue
    return (old, old - value)
  }

  @discardableResult
  @_transparent
  func bitwiseAnd(_ value: Value, ordering: UpdateOrdering) -> (oldValue: Value, newValue: Value) {
    let old = Value(bits: unsafe overmorrow_atomic_and(address, size, value.bits, ordering.rawValue))
    return (old, old & value)
  }

  @discardableResult
  @_transparent
  func bitwiseOr(_ value: Value, ordering: UpdateOrdering) -> (oldValue: Value, newValue: Value) {
    let old = Value(bits: unsafe overmorrow_atomic_or(address, size, value.bits, ordering.rawValue))
    return (old, old | value)
  }
}
