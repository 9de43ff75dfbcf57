/// The typed view of a core's payload.
///
/// A value whose alignment is stricter than eight bytes lies in a box. Every other value lies in the payload itself,
/// whatever its size. In specialised code, the compiler makes this choice.
extension CoreRef {
  // The payload directly follows the state in the same allocation, and has room for the largest of the core's types.
  // The functions are unsafe because they check neither the type nor who may touch the payload now (`StateWord.swift`).

  @inlinable
  @unsafe
  var payload: UnsafeMutableRawPointer {
    unsafe UnsafeMutableRawPointer(pointer) + (MemoryLayout<CoreState>.size + 7) & ~7
  }

  /// Puts a value into an empty payload.
  @inlinable
  @unsafe
  func write<T>(_ value: T) {
    unsafe pointer.pointee.watch.willChangePayload()
    if MemoryLayout<T>.fitsPayload {
      unsafe payload.initializeMemory(as: T.self, to: value)
    } else {
      unsafe payload.initializeMemory(as: Box<T>.self, to: Box(value))
    }
  }

  /// Copies the value.
  @inlinable
  @unsafe
  func read<T>(_ type: T.Type) -> T {
    unsafe pointer.pointee.watch.willReadPayload()
    return if MemoryLayout<T>.fitsPayload {
      unsafe payload.assumingMemoryBound(to: T.self).pointee
    } else {
      unsafe payload.assumingMemoryBound(to: Box<T>.self).pointee.value
    }
  }

  /// Moves the value out.
  @inlinable
  @unsafe
  func take<T>(_ type: T.Type) -> T {
    unsafe pointer.pointee.watch.willChangePayload()
    return if MemoryLayout<T>.fitsPayload {
      unsafe payload.assumingMemoryBound(to: T.self).move()
    } else {
      unsafe payload.assumingMemoryBound(to: Box<T>.self).move().value
    }
  }

  /// Destroys the value.
  @inlinable
  @unsafe
  func destroy<T>(_ type: T.Type) {
    unsafe pointer.pointee.watch.willChangePayload()
    if MemoryLayout<T>.fitsPayload {
      unsafe payload.assumingMemoryBound(to: T.self).deinitialize(count: 1)
    } else {
      unsafe payload.assumingMemoryBound(to: Box<T>.self).deinitialize(count: 1)
    }
  }
}

extension MemoryLayout {
  /// Whether a value of this type lies in a payload itself, without a box.
  @inlinable
  static var fitsPayload: Bool { alignment <= 8 }

  /// The number of payload words that a value of this type takes.
  @inlinable
  static var payloadWords: Int { fitsPayload ? (size + 7) / 8 : 1 }
}

extension Traits {
  /// Returns the traits of a result with these types.
  @inlinable
  static func ofResult<Value, Failure>(_: Value.Type, _: Failure.Type) -> Traits {
    var traits: Traits = []
    if MemoryLayout<Value>.fitsPayload, _isPOD(Value.self) { traits.insert(.trivialValue) }
    if MemoryLayout<Failure>.fitsPayload, _isPOD(Failure.self) { traits.insert(.trivialError) }
    return traits
  }
}
