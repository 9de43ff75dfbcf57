/// A value, or a closure, on the way from thread to thread, as in the code that this module is for.
struct Kept<Value>: @unchecked Sendable {
  // Sendable: handed on by the promises, and never shared by them.
  let value: Value

  init(_ value: Value) { self.value = value }
}
