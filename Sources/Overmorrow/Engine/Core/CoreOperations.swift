/// The types of one kind of core, and the operations that depend on these types. The typed layer supplies them.
///
/// The engine makes each core from one conforming type. So the payload of the core only ever contains values of the
/// associated types.
@usableFromInline
protocol CoreOperations: SendableMetatype {
  /// The callback of a step; `Never` for a core that runs no step.
  associatedtype Callback
  associatedtype Value: Sendable
  associatedtype Failure: Sendable

  static var traits: Traits { get }

  /// The number of payload words.
  static var words: Int { get }

  static func perform(
    _ operation: Operation, _ payload: borrowing Payload<Self>, _ source: CoreRef?
  ) -> OperationResult
}

// All functions of these extensions are inlined. So code that the compiler does not specialise need not search for the
// conformance to this protocol: a fifteenth of the cost of a step.

extension CoreOperations {
  /// The operations as a function without captures.
  @inlinable
  @inline(__always)
  // Unsafe: the core was made with these types, and the engine performs an operation on it.
  static var operations: Operations { { perform($0, unsafe Payload(of: $1), $2) } }

  /// Performs an operation that needs no code of the typed layer.
  @inlinable
  @inline(__always)
  static func performAlone(
    _ operation: Operation, _ payload: borrowing Payload<Self>, _ source: CoreRef?
  ) -> OperationResult {
    switch operation {
    case .adopt: if let source { return payload.copyResult(of: source) }
    case .destroyValue: payload.destroyValue()
    case .destroyError: payload.destroyError()
    case .copyError: return .answer(payload.copyError())
    case .run, .forward, .forwardWithoutCallback, .takeOut, .findNote, .willEnd: break
    }
    return .cancelled
  }

  /// The number of payload words that a result takes.
  @inlinable
  @inline(__always)
  static var wordsOfResult: Int { max(MemoryLayout<Value>.payloadWords, MemoryLayout<Failure>.payloadWords) }
}

/// The right to change the payload of a core during one operation. Only the engine creates it, on a thread that may
/// touch the payload (`StateWord.swift`). An operation borrows it, so the right ends with the operation.
@usableFromInline
@safe
struct Payload<Types: CoreOperations>: ~Copyable {
  @usableFromInline let core: CoreRef

  @inlinable
  @inline(__always)
  @unsafe
  init(of core: CoreRef) { self.core = core }

  // Unsafe, each of these: the core was made from these types, and the engine calls each operation only if the payload
  // contains what the operation takes out or destroys, or nothing.

  /// Moves the callback out.
  @inlinable
  @inline(__always)
  func takeCallback() -> Types.Callback { unsafe core.take(Types.Callback.self) }

  @inlinable
  @inline(__always)
  func write(value: Types.Value) -> OperationResult {
    unsafe core.write(value)
    return .value
  }

  @inlinable
  @inline(__always)
  func write(error: Types.Failure) -> OperationResult {
    unsafe core.write(error)
    return .error
  }

  /// Copies the result of a core with the same types.
  @inlinable
  @inline(__always)
  func copyResult(of source: CoreRef) -> OperationResult {
    switch source.outcome {
    case .value: write(value: unsafe source.read(Types.Value.self))
    case .error: write(error: unsafe source.read(Types.Failure.self))
    case .cancelled, nil: .cancelled
    }
  }

  @inlinable
  @inline(__always)
  func copyError() -> ErrorCopy { unsafe ErrorCopy(core.read(Types.Failure.self)) }

  @inlinable
  @inline(__always)
  func destroyValue() { unsafe core.destroy(Types.Value.self) }

  @inlinable
  @inline(__always)
  func destroyError() { unsafe core.destroy(Types.Failure.self) }
}

/// A copy of a core's error, for a report.
@usableFromInline
final class ErrorCopy: Answer, @unchecked Sendable {
  // Sendable: a constant, and every failure is Sendable.
  let error: Any

  @usableFromInline
  init(_ error: Any) { self.error = error }
}

/// A type for results, as far as the engine reads results into it.
@usableFromInline
protocol CoreResult {
  associatedtype Value
  associatedtype Failure
  static func value(_ value: Value) -> Self
  static func error(_ error: Failure) -> Self
  static var cancelled: Self { get }
}

extension CoreRef {
  // Unsafe, both: a resolved core has a result of its kind, which no longer changes (E1). The promise of this core has
  // the types of `Result`.

  /// Returns a copy of the result, or `nil` if the core is unresolved. The core is that of a promise with the types of
  /// `Result`.
  @inlinable
  @inline(__always)
  func result<Result: CoreResult>(as _: Result.Type = Result.self) -> Result? {
    switch outcome {
    case .value: .value(unsafe read(Result.Value.self))
    case .error: .error(unsafe read(Result.Failure.self))
    case .cancelled: .cancelled
    case nil: nil
    }
  }

  /// Returns a copy of the result of a resolved core. The return type is not optional, because an optional result costs
  /// one more copy of a large value.
  @inlinable
  @inline(__always)
  func finalResult<Result: CoreResult>() -> Result {
    switch outcome {
    case .value: .value(unsafe read(Result.Value.self))
    case .error: .error(unsafe read(Result.Failure.self))
    case .cancelled, nil: .cancelled
    }
  }
}

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
