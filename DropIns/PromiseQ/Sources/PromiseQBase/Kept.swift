/// A container that carries a value or a closure from one thread to another. The content need not be `Sendable`,
/// because code for the original library does not declare `Sendable`.
struct Kept<Value>: @unchecked Sendable {
  // Sendable because promises pass it from one thread to the next and never share it.
  let value: Value

  init(_ value: Value) { self.value = value }
}
