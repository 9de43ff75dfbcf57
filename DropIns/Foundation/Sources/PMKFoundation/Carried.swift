/// A container that carries a value from one thread to another. The value need not be `Sendable`, because not all
/// systems declare it for the classes of Foundation.
struct Carried<Value>: @unchecked Sendable {
  // Sendable because only one thread at a time uses the value.
  let value: Value

  init(_ value: Value) { self.value = value }
}
