/// A promise as something that callbacks of Overmorrow may hold: all that changes in it is behind a lock or resolved
/// once.
struct Kept<Kept: AnyObject>: @unchecked Sendable {
  let value: Kept

  init(_ value: Kept) { self.value = value }
}

/// The same without keeping it.
struct WeaklyKept<Kept: AnyObject>: @unchecked Sendable {
  private(set) weak var value: Kept?

  init(_ value: Kept) { self.value = value }
}
