/// Allows callbacks of Overmorrow to capture a promise. Sendable because the mutable state of the promise is behind a
/// lock or resolved once.
struct Kept<Kept: AnyObject>: @unchecked Sendable {
  let value: Kept

  init(_ value: Kept) { self.value = value }
}

/// Like ``Kept``, but with a weak reference.
struct WeaklyKept<Kept: AnyObject>: @unchecked Sendable {
  private(set) weak var value: Kept?

  init(_ value: Kept) { self.value = value }
}
