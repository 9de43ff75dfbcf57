extension Atomic {
  /// Changes a word in a compare-exchange loop. `transition` must be pure. If `transition` returns `nil`, the word
  /// stays unchanged, and this function returns `nil`.
  ///
  /// A change publishes what its thread did before, sees what earlier changes published, and has a place in the total
  /// order of all changes.
  @inline(__always)
  func change<Result>(_ transition: (Value) -> (Value, Result)?) -> Result? {
    var old = load(ordering: .acquiring)
    while let (new, result) = transition(old) {
      if replace(&old, by: new) { return result }
    }
    return nil
  }

  /// Replaces the word by `new`. If the word is not `old` any more, or for no reason, leaves the word unchanged, reads
  /// it into `old`, and returns `false`. A replacement has the effects of ``change(_:)``.
  @_transparent
  func replace(_ old: inout Value, by new: Value) -> Bool {
    let (exchanged, current) = weakCompareExchange(
      expected: old, desired: new, successOrdering: .sequentiallyConsistent, failureOrdering: .acquiring)
    old = current
    return exchanged
  }
}

/// A value that fits an atomic: one byte, four bytes, or the size of a pointer.
protocol AtomicValue: BitwiseCopyable, Sendable {
  init(bits: UInt64)
  var bits: UInt64 { get }
}

extension AtomicValue where Self: FixedWidthInteger {
  @_transparent init(bits: UInt64) { self.init(truncatingIfNeeded: bits) }
  @_transparent var bits: UInt64 { UInt64(truncatingIfNeeded: self) }
}

extension UInt: AtomicValue {}
extension UInt32: AtomicValue {}
extension UInt8: AtomicValue {}
extension Int32: AtomicValue {}
extension Int: AtomicValue {}
extension Bool: AtomicValue {
  @_transparent init(bits: UInt64) { self = bits != 0 }
  @_transparent var bits: UInt64 { self ? 1 : 0 }
}
