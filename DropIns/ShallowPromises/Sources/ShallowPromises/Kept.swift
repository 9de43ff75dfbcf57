/// A strong reference to a promise that callbacks of Overmorrow can capture. Sendable because the mutable state of the
/// promise is behind a lock or resolved once.
struct Kept<Kept: AnyObject>: @unchecked Sendable {
  let value: Kept

  init(_ value: Kept) { self.value = value }
}

/// A weak reference to a promise that callbacks of Overmorrow can capture.
struct WeaklyKept<Kept: AnyObject>: @unchecked Sendable {
  private(set) weak var value: Kept?

  init(_ value: Kept) { self.value = value }
}
