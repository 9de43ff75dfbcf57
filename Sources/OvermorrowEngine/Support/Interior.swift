#if !OVERMORROW_PLAIN
  internal import Builtin
#endif

/// Memory for a value that can change while it is borrowed. The value does not move while it is borrowed.
///
/// The type is visible to other modules, because other modules would not deinitialise a value of a private type.
#if OVERMORROW_PLAIN
  @safe
  @usableFromInline
  struct Interior<Value: ~Copyable>: ~Copyable {
    // Unsafe, here and below: the memory is initialised for the whole lifetime of this value.
    @usableFromInline let address: UnsafeMutablePointer<Value>

    @inlinable
    init(_ value: consuming Value) {
      unsafe address = .allocate(capacity: 1)
      unsafe address.initialize(to: value)
    }

    @inlinable
    deinit {
      unsafe address.deinitialize(count: 1)
      unsafe address.deallocate()
    }
  }
#else
  @safe
  @usableFromInline
  @_rawLayout(like: Value, movesAsLike)
  struct Interior<Value: ~Copyable>: ~Copyable {
    // Unsafe, here and below: the raw layout is that of a value, which is initialised for the whole lifetime.
    @inlinable
    @inline(__always)
    var address: UnsafeMutablePointer<Value> {
      unsafe UnsafeMutablePointer(Builtin.addressOfRawLayout(self))
    }

    @inlinable
    init(_ value: consuming Value) { unsafe address.initialize(to: value) }

    @inlinable
    deinit { unsafe address.deinitialize(count: 1) }
  }
#endif
