/// Code that runs inside the call of other code, and counts in the depth of its thread.
@usableFromInline
@safe
struct InnerCall {
  private let thread: UnsafeMutablePointer<ThreadLocal>

  /// Begins one; `nil` if it would be the last that may nest, or one too many.
  init?(on thread: UnsafeMutablePointer<ThreadLocal>) {
    // Unsafe, here and in `end`: the calling thread's own, which is there as long as that.
    guard unsafe thread.pointee.depth < Pass.nesting - 1 else { return nil }
    unsafe thread.pointee.depth += 1
    unsafe self.thread = thread
  }

  @usableFromInline
  func end() { unsafe thread.pointee.depth -= 1 }
}
