/// The types of one kind of core, and the operations that depend on these types. The typed layer supplies them.
///
/// The engine makes each core from one conforming type. So the payload of the core only ever contains values of the
/// associated types.
@usableFromInline
package protocol CoreOperations: SendableMetatype {
  /// The callback of a step; `Never` for a core that runs no step.
  associatedtype Callback
  associatedtype Value: Sendable
  associatedtype Failure: Sendable

  static var traits: Traits { get }

  static var words: Int { get }

  static func perform(
    _ operation: CoreOperation, _ payload: borrowing Payload<Self>, _ source: CoreRef?
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
  package static func performAlone(
    _ operation: CoreOperation, _ payload: borrowing Payload<Self>, _ source: CoreRef?
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
  package static var wordsOfResult: Int { max(MemoryLayout<Value>.payloadWords, MemoryLayout<Failure>.payloadWords) }
}

/// The right to change the payload of a core during one operation. Only the engine creates it, on a thread that may
/// touch the payload (`StateWord.swift`). An operation borrows it, so the right ends with the operation.
@usableFromInline
@safe
package struct Payload<Types: CoreOperations>: ~Copyable {
  @usableFromInline package let core: CoreRef

  @inlinable
  @inline(__always)
  @unsafe
  init(of core: CoreRef) { self.core = core }

  // Unsafe, each of these: the core was made from these types, and the engine calls each operation only if the payload
  // contains what the operation takes out or destroys, or nothing.

  @inlinable
  @inline(__always)
  package func takeCallback() -> Types.Callback { unsafe core.take(Types.Callback.self) }

  @inlinable
  @inline(__always)
  package func write(value: Types.Value) -> OperationResult {
    unsafe core.write(value)
    return .value
  }

  @inlinable
  @inline(__always)
  package func write(error: Types.Failure) -> OperationResult {
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
package final class ErrorCopy: Answer, @unchecked Sendable {
  // Sendable: a constant, and every failure is Sendable.
  package let error: Any

  @usableFromInline
  init(_ error: Any) { self.error = error }
}

/// A type for results, as far as the engine reads results into it.
@usableFromInline
package protocol CoreResult {
  associatedtype Value
  associatedtype Failure
  static func value(_ value: consuming Value) -> Self
  static func error(_ error: consuming Failure) -> Self
  static var cancelled: Self { get }
}

extension CoreRef {
  // Unsafe, both: a resolved core has a result of its kind, which no longer changes (E1). The promise of this core has
  // the types of `Result`.

  /// Returns a copy of the result, or `nil` if the core is unresolved. The core is that of a promise with the types of
  /// `Result`.
  @inlinable
  @inline(__always)
  package func result<Result: CoreResult>(as _: Result.Type = Result.self) -> Result? {
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
  package func finalResult<Result: CoreResult>() -> Result {
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

  /// Moves a value into an empty payload.
  ///
  /// The caller keeps no copy that would outlive the promise. However, in unspecialised code, a value that is moved
  /// takes more stack than a value that is copied with ``write(_:)``.
  @inlinable
  @unsafe
  func move<T>(_ value: consuming T) {
    unsafe pointer.pointee.watch.willChangePayload()
    if MemoryLayout<T>.fitsPayload {
      unsafe payload.initializeMemory(as: T.self, to: value)
    } else {
      unsafe payload.initializeMemory(as: Box<T>.self, to: Box(value))
    }
  }

  /// Copies a value into an empty payload.
  ///
  /// Functions that may run without being specialised, such as those that resolvers and steps call, use this function
  /// instead of ``move(_:)``, because it takes less stack there.
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
  package static var payloadWords: Int { fitsPayload ? (size + 7) / 8 : 1 }
}

extension Traits {
  @inlinable
  package static func ofResult<Value, Failure>(_: Value.Type, _: Failure.Type) -> Traits {
    var traits: Traits = []
    if MemoryLayout<Value>.fitsPayload, _isPOD(Value.self) { traits.insert(.trivialValue) }
    if MemoryLayout<Failure>.fitsPayload, _isPOD(Failure.self) { traits.insert(.trivialError) }
    return traits
  }
}

/// An operation on a core. Because operations depend on types, the typed layer performs them for the engine.
@usableFromInline
package enum CoreOperation: Sendable {
  /// Run the callback with the source's result.
  case run
  /// Drop the callback and forward the source's result, as far as the types allow.
  case forward
  /// Forward the source's result, in a step whose callback was moved out before.
  case forwardWithoutCallback
  /// Move the callback out, and answer with a `DroppedCallback` that contains the callback.
  case takeOut
  /// Copy the source's result, which has the same types.
  case adopt
  case destroyValue
  case destroyError
  /// Answer with a copy of the error: an `ErrorCopy`.
  case copyError
  /// Answer with the core's note: a `CoreNote`. Only a core with a note performs this operation.
  case findNote
  /// Prepare for the end of the core and its operations. Only a core with a note performs this operation.
  case willEnd
}

/// The answer to an operation that asks for an object.
@usableFromInline
package class Answer: @unchecked Sendable {
  // Sendable: an answer has one owner at a time, or its class says why it is Sendable.
}

@usableFromInline
package enum OperationResult {
  /// The result is of this kind. A value or an error is in the payload.
  case value, error, cancelled
  /// The callback has returned a promise to adopt. The payload contains its `PromiseHandle`.
  case promise
  /// The object that the operation asks for.
  case answer(Answer)

  static func failAsAnswer() -> Never { preconditionFailure("a step was settled with the answer to a question") }
}

@usableFromInline
package typealias Operations =
  @Sendable (_ operation: CoreOperation, _ core: CoreRef, _ source: CoreRef?) -> OperationResult

/// The operations of a core, in one word.
///
/// A Swift function is two words: the addresses of its code and of its captures. The operations of typed code capture
/// nothing, so the second word would be zero in nearly every core. Two kinds of operations have captures: those of
/// generic code that the compiler does not specialise, and those of a core with a note (`CoreNote`). Operations with
/// captures lie in a box, and their core has the trait `boxed`.
@safe
struct OperationsWord: Sendable {
  private let bits: UInt

  /// A function in its native representation. Without this struct, generic code would wrap the function in another
  /// function.
  private struct Whole: Sendable {
    let call: Operations
  }

  /// Creates the word. If the function has captures, this initialiser also makes a box and adds the trait `boxed`.
  /// ``free()`` frees the box.
  init(_ operations: consuming @escaping Operations, in traits: inout Traits) {
    let whole = Whole(call: operations)
    // Unsafe: a function is two words on every platform, and these words are only read.
    let words = unsafe unsafeBitCast(whole, to: (code: UInt, captured: UInt).self)
    if words.captured == 0 {
      bits = words.code
    } else {
      bits = OperationsWord.box(whole)
      traits.insert(.boxed)
    }
  }

  @inline(never)
  private static func box(_ whole: consuming Whole) -> UInt {
    // Unsafe: this memory is not shared yet, and `free` frees it.
    let box = UnsafeMutablePointer<Whole>.allocate(capacity: 1)
    unsafe box.initialize(to: whole)
    return UInt(bitPattern: box)
  }

  /// Returns the operations as a function.
  func whole(isBoxed: Bool) -> Operations { isBoxed ? boxed : alone }

  /// Calls boxed operations. This function is separate, so that the unboxed call retains nothing.
  @inline(never)
  fileprivate func callBoxed(_ operation: CoreOperation, _ core: CoreRef, _ source: CoreRef?) -> OperationResult {
    boxed(operation, core, source)
  }

  @inline(__always)
  fileprivate var alone: Operations {
    // Unsafe: the word is the code of a function that captures nothing, and this code exists as long as the program.
    unsafe unsafeBitCast((code: bits, captured: UInt(0)), to: Whole.self).call
  }

  private var boxed: Operations {
    // Unsafe, here and in `free`: the trait says that `box(_:)` has made the box, which is not freed yet.
    unsafe UnsafePointer<Whole>(bitPattern: bits).unsafelyUnwrapped.pointee.call
  }

  func free() {
    let box = unsafe UnsafeMutablePointer<Whole>(bitPattern: bits).unsafelyUnwrapped
    unsafe box.deinitialize(count: 1)
    unsafe box.deallocate()
  }
}

extension CoreRef {
  /// Performs an operation that depends on types.
  @inline(__always)
  func perform(_ operation: CoreOperation, _ source: CoreRef?) -> OperationResult {
    let operations = fields.operations.value
    return traits.has(.boxed)
      ? operations.callBoxed(operation, self, source) : operations.alone(operation, self, source)
  }

  /// Ends the operations, which are not used again. If they lie in a box, frees the box.
  @inline(__always)
  func freeOperations() {
    if traits.has(.boxed) { freeBoxedOperations() }
  }

  @inline(never)
  private func freeBoxedOperations() {
    if traits.has(.checked) { _ = perform(.willEnd, nil) }
    fields.operations.value.free()
  }
}
