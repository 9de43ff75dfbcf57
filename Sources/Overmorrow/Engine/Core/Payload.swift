/// The typed view of a core's payload.
///
/// A value whose alignment is stricter than eight bytes lies in a box. Every other value lies in the payload itself,
/// whatever its size. In specialised code, the compiler makes this choice.
extension CoreRef {
  /// Returns the number of payload words that a value of this type takes.
  @inlinable
  static func words<T>(for type: T.Type) -> Int {
    isInline(type) ? (MemoryLayout<T>.size + 7) / 8 : 1
  }

  @inlinable
  static func isInline<T>(_ type: T.Type) -> Bool { MemoryLayout<T>.alignment <= 8 }

  // Unsafe, each of these: the payload directly follows the state in the same allocation, and has room for the largest
  // of the core's types. The caller is the one that may touch the payload now (`StateWord.swift`).

  @inlinable
  var payload: UnsafeMutableRawPointer {
    unsafe UnsafeMutableRawPointer(pointer) + (MemoryLayout<CoreState>.size + 7) & ~7
  }

  /// Puts a value into an empty payload.
  @inlinable
  func write<T>(_ value: T) {
    unsafe pointer.pointee.watch.willChangePayload()
    if CoreRef.isInline(T.self) {
      unsafe payload.initializeMemory(as: T.self, to: value)
    } else {
      unsafe payload.initializeMemory(as: Box<T>.self, to: Box(value))
    }
  }

  /// Copies the value.
  @inlinable
  func read<T>(_ type: T.Type) -> T {
    unsafe pointer.pointee.watch.willReadPayload()
    return if CoreRef.isInline(T.self) {
      unsafe payload.assumingMemoryBound(to: T.self).pointee
    } else {
      unsafe payload.assumingMemoryBound(to: Box<T>.self).pointee.value
    }
  }

  /// Moves the value out.
  @inlinable
  func take<T>(_ type: T.Type) -> T {
    unsafe pointer.pointee.watch.willChangePayload()
    return if CoreRef.isInline(T.self) {
      unsafe payload.assumingMemoryBound(to: T.self).move()
    } else {
      unsafe payload.assumingMemoryBound(to: Box<T>.self).move().value
    }
  }

  /// Destroys the value.
  @inlinable
  func destroy<T>(_ type: T.Type) {
    unsafe pointer.pointee.watch.willChangePayload()
    if CoreRef.isInline(T.self) {
      unsafe payload.assumingMemoryBound(to: T.self).deinitialize(count: 1)
    } else {
      unsafe payload.assumingMemoryBound(to: Box<T>.self).deinitialize(count: 1)
    }
  }
}

extension Traits {
  /// Returns the traits of a result with these types.
  @inlinable
  static func ofResult<Value, Failure>(_: Value.Type, _: Failure.Type) -> Traits {
    var traits: Traits = []
    if CoreRef.isInline(Value.self), _isPOD(Value.self) { traits.insert(.trivialValue) }
    if CoreRef.isInline(Failure.self), _isPOD(Failure.self) { traits.insert(.trivialError) }
    return traits
  }
}

/// A copy of a core's error, for a report.
@usableFromInline
final class ErrorCopy: Answer, @unchecked Sendable {
  // Sendable: a constant, and every failure is Sendable.
  let error: Any

  @usableFromInline
  init<Failure>(_ core: CoreRef, _: Failure.Type) { error = core.read(Failure.self) }
}
