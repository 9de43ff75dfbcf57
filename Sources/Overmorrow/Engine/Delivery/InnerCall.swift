/// Code that runs inside the call of other code, and counts in the depth of its thread.
@usableFromInline
struct InnerCall {
  private let thread: ThreadLocal

  /// Begins one; `nil` if it would be the last that may nest, or one too many.
  init?(on thread: ThreadLocal) {
    guard thread.fields.depth < Pass.nesting - 1 else { return nil }
    thread.fields.depth += 1
    self.thread = thread
  }

  @usableFromInline
  func end() { thread.fields.depth -= 1 }
}
