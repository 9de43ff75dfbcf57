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
  fileprivate func callBoxed(_ operation: Operation, _ core: CoreRef, _ source: CoreRef?) -> OperationResult {
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

  /// Frees the box.
  func free() {
    let box = unsafe UnsafeMutablePointer<Whole>(bitPattern: bits).unsafelyUnwrapped
    unsafe box.deinitialize(count: 1)
    unsafe box.deallocate()
  }
}

extension CoreRef {
  /// Performs an operation that depends on types.
  @inline(__always)
  func perform(_ operation: Operation, _ source: CoreRef?) -> OperationResult {
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
