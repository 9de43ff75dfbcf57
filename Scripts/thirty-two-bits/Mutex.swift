/// What the core uses of `Mutex`, which embedded Swift does not have.
struct Mutex<Value: ~Copyable>: ~Copyable, @unchecked Sendable {
  init(_ value: consuming sending Value) {}

  borrowing func withLock<Result: ~Copyable, E: Error>(
    _ body: (inout sending Value) throws(E) -> sending Result
  ) throws(E) -> sending Result { fatalError() }
}
